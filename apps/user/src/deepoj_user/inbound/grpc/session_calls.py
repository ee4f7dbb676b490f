"""Ways in and out: registering, sessions, passwords and the captchas."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.account.captcha import CaptchaPurpose
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import person
from deepoj_kit.grpc import signed_in
from deepoj_kit.grpc.mapping import timestamp
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.change_password import ChangePassword
from deepoj_user.commands.end_session import EndSession
from deepoj_user.commands.log_in import LogIn
from deepoj_user.commands.log_out import LogOut, LogOutEverywhere
from deepoj_user.commands.make_guest import MakeGuest
from deepoj_user.commands.ports import Throttled
from deepoj_user.commands.refresh import Refresh
from deepoj_user.commands.register import Register
from deepoj_user.commands.replace_password import ReplacePassword, ReplacePasswordRequest
from deepoj_user.commands.send_captcha import SendCaptcha
from deepoj_user.commands.session_tokens import Tokens
from deepoj_user.inbound.grpc import wire
from deepoj_user.inbound.grpc.refusals import raise_refusal, raise_throttled
from deepoj_user.queries.get_registration import GetRegistration
from deepoj_user.queries.list_sessions import ListSessions


@dataclass(frozen=True, slots=True)
class SessionUseCases:
    get_registration: GetRegistration
    register: Register
    make_guest: MakeGuest
    log_in: LogIn
    refresh: Refresh
    log_out: LogOut
    log_out_everywhere: LogOutEverywhere
    change_password: ChangePassword
    replace_password: ReplacePassword
    list_sessions: ListSessions
    end_session: EndSession
    send_captcha: SendCaptcha


class SessionCalls:
    _sessions: SessionUseCases

    async def GetRegistration(
        self, request: user_pb2.GetRegistrationRequest, context: object
    ) -> user_pb2.GetRegistrationResponse:
        return wire.write_registration(await self._sessions.get_registration())

    async def Register(self, request: user_pb2.RegisterRequest, context: object) -> user_pb2.RegisterResponse:
        outcome = await self._sessions.register(wire.read_register(request))
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        if isinstance(outcome, Tokens):
            return user_pb2.RegisterResponse(
                account=wire.write_own(outcome.account), tokens=wire.write_tokens(outcome)
            )
        return user_pb2.RegisterResponse(account=wire.write_own(outcome))

    async def MakeGuest(
        self, request: user_pb2.MakeGuestRequest, context: object
    ) -> user_pb2.MakeGuestResponse:
        outcome = await self._sessions.make_guest(
            wire.read_account_id(request.account_id), wire.read_origin(request.origin)
        )
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.MakeGuestResponse(
            account=wire.write_own(outcome.account), tokens=wire.write_tokens(outcome)
        )

    async def Login(self, request: user_pb2.LoginRequest, context: object) -> user_pb2.LoginResponse:
        outcome = await self._sessions.log_in(wire.read_log_in(request))
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.LoginResponse(
            account=wire.write_own(outcome.account), tokens=wire.write_tokens(outcome)
        )

    async def Refresh(self, request: user_pb2.RefreshRequest, context: object) -> user_pb2.RefreshResponse:
        outcome = await self._sessions.refresh(request.refresh_token, wire.read_origin(request.origin))
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.RefreshResponse(
            account=wire.write_own(outcome.account), tokens=wire.write_tokens(outcome)
        )

    async def Logout(self, request: user_pb2.LogoutRequest, context: object) -> user_pb2.LogoutResponse:
        origin = wire.read_origin(request.origin)
        if request.everywhere:
            actor = person(signed_in(wire.read_actor(request.actor)))
            refused = await self._sessions.log_out_everywhere(actor.account_id, origin)
            if refused is not None:
                raise_refusal(refused)
        else:
            await self._sessions.log_out(request.refresh_token, origin)
        return user_pb2.LogoutResponse()

    async def ChangePassword(
        self, request: user_pb2.ChangePasswordRequest, context: object
    ) -> user_pb2.ChangePasswordResponse:
        outcome = await self._sessions.change_password(wire.read_change_password(request))
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.ChangePasswordResponse()

    async def ReplacePassword(
        self, request: user_pb2.ReplacePasswordRequest, context: object
    ) -> user_pb2.ReplacePasswordResponse:
        actor = person(signed_in(wire.read_actor(request.actor)))
        outcome = await self._sessions.replace_password(
            ReplacePasswordRequest(
                account_id=actor.account_id,
                password=request.password,
                new_password=request.new_password,
                origin=wire.read_origin(request.origin),
            )
        )
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.ReplacePasswordResponse(
            account=wire.write_own(outcome.account), tokens=wire.write_tokens(outcome)
        )

    async def ListSessions(
        self, request: user_pb2.ListSessionsRequest, context: object
    ) -> user_pb2.ListSessionsResponse:
        found = await self._sessions.list_sessions(person(signed_in(wire.read_actor(request.actor))))
        return user_pb2.ListSessionsResponse(sessions=map(wire.write_session, found))

    async def EndSession(
        self, request: user_pb2.EndSessionRequest, context: object
    ) -> user_pb2.EndSessionResponse:
        refused = await self._sessions.end_session(
            person(signed_in(wire.read_actor(request.actor))),
            wire.read_session_id(request.session_id),
            wire.read_origin(request.origin),
        )
        if refused is not None:
            raise_refusal(refused)
        return user_pb2.EndSessionResponse()

    async def SendRegisterCaptcha(
        self, request: user_pb2.SendRegisterCaptchaRequest, context: object
    ) -> user_pb2.SendRegisterCaptchaResponse:
        following = await self._send(CaptchaPurpose.REGISTER, request.email, request.origin)
        return user_pb2.SendRegisterCaptchaResponse(next_allowed_at=timestamp(following))

    async def SendChangePasswordCaptcha(
        self, request: user_pb2.SendChangePasswordCaptchaRequest, context: object
    ) -> user_pb2.SendChangePasswordCaptchaResponse:
        following = await self._send(CaptchaPurpose.CHANGE_PASSWORD, request.email, request.origin)
        return user_pb2.SendChangePasswordCaptchaResponse(next_allowed_at=timestamp(following))

    async def _send(self, purpose: CaptchaPurpose, email: str, origin: user_pb2.Origin) -> datetime:
        outcome = await self._sessions.send_captcha(purpose, email, wire.read_origin(origin))
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        return outcome
