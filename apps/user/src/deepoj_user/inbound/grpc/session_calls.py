"""Register, Login, Refresh, Logout, ChangePassword and the captchas: calls that need no actor."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.account.captcha import CaptchaPurpose
from deepoj_domain.kernel.outcome import Refused
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.change_password import ChangePassword, ChangePasswordRequest
from deepoj_user.commands.log_in import LogIn, LogInRequest
from deepoj_user.commands.log_out import LogOut, LogOutEverywhere
from deepoj_user.commands.ports import Throttled
from deepoj_user.commands.refresh import Refresh
from deepoj_user.commands.register import Register, RegisterRequest
from deepoj_user.commands.send_captcha import SendCaptcha
from deepoj_user.inbound.grpc import decode, encode
from deepoj_user.inbound.grpc.refusals import person, raise_refusal, raise_throttled


@dataclass(frozen=True, slots=True)
class SessionUseCases:
    register: Register
    log_in: LogIn
    refresh: Refresh
    log_out: LogOut
    log_out_everywhere: LogOutEverywhere
    change_password: ChangePassword
    send_captcha: SendCaptcha


class SessionCalls:
    _sessions: SessionUseCases

    async def Register(self, request: user_pb2.RegisterRequest, context: object) -> user_pb2.RegisterResponse:
        outcome = await self._sessions.register(
            RegisterRequest(
                account_id=decode.account_id(request.account_id),
                name=request.name,
                email=request.email,
                password=request.password,
                captcha=request.captcha,
                origin=decode.origin(request.origin),
            )
        )
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.RegisterResponse(account=encode.own(outcome))

    async def Login(self, request: user_pb2.LoginRequest, context: object) -> user_pb2.LoginResponse:
        outcome = await self._sessions.log_in(
            LogInRequest(login=request.login, password=request.password, origin=decode.origin(request.origin))
        )
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.LoginResponse(account=encode.own(outcome.account), tokens=encode.tokens(outcome))

    async def Refresh(self, request: user_pb2.RefreshRequest, context: object) -> user_pb2.RefreshResponse:
        outcome = await self._sessions.refresh(request.refresh_token, decode.origin(request.origin))
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.RefreshResponse(account=encode.own(outcome.account), tokens=encode.tokens(outcome))

    async def Logout(self, request: user_pb2.LogoutRequest, context: object) -> user_pb2.LogoutResponse:
        origin = decode.origin(request.origin)
        if request.everywhere:
            actor = person(decode.actor(request.actor))
            refused = await self._sessions.log_out_everywhere(actor.account_id, origin)
            if refused is not None:
                raise_refusal(refused)
        else:
            await self._sessions.log_out(request.refresh_token, origin)
        return user_pb2.LogoutResponse()

    async def ChangePassword(
        self, request: user_pb2.ChangePasswordRequest, context: object
    ) -> user_pb2.ChangePasswordResponse:
        outcome = await self._sessions.change_password(
            ChangePasswordRequest(
                email=request.email,
                captcha=request.captcha,
                password=request.new_password,
                origin=decode.origin(request.origin),
            )
        )
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.ChangePasswordResponse()

    async def SendRegisterCaptcha(
        self, request: user_pb2.SendRegisterCaptchaRequest, context: object
    ) -> user_pb2.SendRegisterCaptchaResponse:
        following = await self._send(CaptchaPurpose.REGISTER, request.email, request.origin)
        return user_pb2.SendRegisterCaptchaResponse(next_allowed_at=encode.timestamp(following))

    async def SendChangePasswordCaptcha(
        self, request: user_pb2.SendChangePasswordCaptchaRequest, context: object
    ) -> user_pb2.SendChangePasswordCaptchaResponse:
        following = await self._send(CaptchaPurpose.CHANGE_PASSWORD, request.email, request.origin)
        return user_pb2.SendChangePasswordCaptchaResponse(next_allowed_at=encode.timestamp(following))

    async def _send(self, purpose: CaptchaPurpose, email: str, origin: user_pb2.Origin) -> datetime:
        outcome = await self._sessions.send_captcha(purpose, email, decode.origin(origin))
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        return outcome
