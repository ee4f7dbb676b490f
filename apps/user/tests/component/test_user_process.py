"""The user service as a process: what its callers and operators see of it."""

from __future__ import annotations

import asyncio
import json
import stat
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import jwt
import pytest
from redis.asyncio import Redis

from apps.user.tests.deployment import PASSWORD, Deployment, Member
from deepoj_domain.streams import Streams
from deepoj_kit.embedded.free_ports import free_ports
from deepoj_kit.grpc import Kind, RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import TOKEN, Service, http_get
from deepoj_kit.testing.streams import entries
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2
from deepoj_proto.user.v1.user_pb2_grpc import UserServiceStub

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.user.v1.user_pb2_grpc import UserServiceAsyncStub


async def test_an_account_from_its_captcha_to_a_checked_access_token(
    user: UserServiceAsyncStub, member: Member
) -> None:
    answer = await user.GetSigningKeys(user_pb2.GetSigningKeysRequest())
    keys = {key.id: key for key in answer.keys}
    token = member.tokens.access_token
    key = keys[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(token, key.public_key, algorithms=[key.algorithm], issuer=answer.issuer)
    assert claims["sub"] == member.account.id
    assert claims["role"] == "contestant"
    assert claims["exp"] == member.tokens.access_expires_at.seconds
    assert member.account.email == member.email


async def test_a_password_is_changed_with_a_code_and_ends_every_session(
    user: UserServiceAsyncStub, member: Member, deployment: Deployment
) -> None:
    made = await user.CreateApiToken(
        user_pb2.CreateApiTokenRequest(actor=member.actor, token_id=str(uuid4()), name="t", scopes=["read"])
    )
    await user.SendChangePasswordCaptcha(user_pb2.SendChangePasswordCaptchaRequest(email=member.email))
    code = await deployment.code_to(member.email, number=2)
    changed = user_pb2.ChangePasswordRequest(email=member.email, captcha=code, new_password="another phrase")
    await user.ChangePassword(changed)
    with pytest.raises(RemoteError, match="refresh_token_invalid"):
        await user.Refresh(user_pb2.RefreshRequest(refresh_token=member.tokens.refresh_token))
    with pytest.raises(RemoteError, match="api_token_invalid"):
        await user.AuthenticateApiToken(user_pb2.AuthenticateApiTokenRequest(secret=made.secret))
    with pytest.raises(RemoteError, match="bad_credentials"):
        await user.Login(user_pb2.LoginRequest(login=member.email, password=PASSWORD))
    await user.Login(user_pb2.LoginRequest(login=member.email, password="another phrase"))
    with pytest.raises(RemoteError, match="captcha_refused"):
        await user.ChangePassword(changed)


async def test_api_tokens_are_scoped_counted_and_revoked(user: UserServiceAsyncStub, member: Member) -> None:
    token_id = str(uuid4())
    made = await user.CreateApiToken(
        user_pb2.CreateApiTokenRequest(
            actor=member.actor, token_id=token_id, name="laptop", scopes=["submit", "read"]
        )
    )
    bearer = await user.AuthenticateApiToken(user_pb2.AuthenticateApiTokenRequest(secret=made.secret))
    assert bearer.actor == member.actor
    assert (bearer.token_id, list(bearer.scopes)) == (token_id, ["read", "submit"])
    listed = await user.ListApiTokens(user_pb2.ListApiTokensRequest(actor=member.actor))
    assert [(token.name, token.HasField("last_used_at")) for token in listed.tokens] == [("laptop", True)]
    await user.RevokeApiToken(user_pb2.RevokeApiTokenRequest(actor=member.actor, token_id=token_id))
    with pytest.raises(RemoteError, match="api_token_invalid"):
        await user.AuthenticateApiToken(user_pb2.AuthenticateApiTokenRequest(secret=made.secret))
    log = await user.ListAuditLog(
        user_pb2.ListAuditLogRequest(actor=member.actor, account_id=member.account.id)
    )
    assert [entry.event for entry in log.entries] == [
        "api_token_revoked", "api_token_created", "logged_in", "registered",
    ]  # fmt: skip


async def test_whoever_follows_hears_at_once_that_an_account_or_a_token_of_it_has_changed(
    user: UserServiceAsyncStub, member: Member, deployment: Deployment, redis: Redis
) -> None:
    said = json.loads((deployment.home / "admin.json").read_text())
    admin = await user.Login(user_pb2.LoginRequest(login=said["name"], password=said["password"]))
    actor = common_pb2.Actor(account_id=admin.account.id, role=admin.account.role)
    token_id, who = str(uuid4()), member.account.id
    await user.CreateApiToken(
        user_pb2.CreateApiTokenRequest(actor=member.actor, token_id=token_id, name="t", scopes=["read"])
    )
    await user.RevokeApiToken(user_pb2.RevokeApiTokenRequest(actor=member.actor, token_id=token_id))
    await user.SetRole(user_pb2.SetRoleRequest(actor=actor, account_id=who, role=common_pb2.ROLE_SETTER))
    suspended = user_pb2.ACCOUNT_STATUS_SUSPENDED
    await user.SetStatus(user_pb2.SetStatusRequest(actor=actor, account_id=who, status=suspended))
    await user.Delete(user_pb2.DeleteRequest(actor=actor, account_id=who))
    heard: list[tuple[str, int]] = []

    async def has_come() -> bool:
        found = await entries(redis, Streams(deployment.settings["env"]).account_events)
        assert member.email not in str(found)
        events = [json.loads(fields["data"]) for _, fields in found]
        heard[:] = [
            (event["change"], event["session_epoch"])
            for event in events
            if event["account_id"] == member.account.id
        ]
        return len(heard) == 5

    await eventually(has_come)
    assert heard == [
        ("registered", 0), ("api_token_revoked", 0), ("role_set", 1), ("status_set", 2), ("deleted", 3),
    ]  # fmt: skip


async def test_a_code_survives_the_death_of_the_process_that_should_have_mailed_it(
    deployment: Deployment,
) -> None:
    address = f"m{uuid4().hex[:20]}@example.org"
    # Nobody listens there, so the mail cannot leave this process.
    settings = deployment.settings | {"smtp_host": "127.0.0.1", "smtp_port": str(free_ports(1)[0])}
    dying = deployment.start("deepoj_user", settings, listen=f"unix:{deployment.home}/dying.sock")
    async with connect(dying.address, Secret(TOKEN), deadline=timedelta(minutes=1)) as channel:
        stub = UserServiceStub(channel)
        await stub.SendRegisterCaptcha(user_pb2.SendRegisterCaptchaRequest(email=address))
    await eventually(lambda: "mail not delivered" in dying.process.log.read_text())
    dying.process.kill()
    heir = deployment.start("deepoj_user", deployment.settings, listen=f"unix:{deployment.home}/heir.sock")
    async with connect(heir.address, Secret(TOKEN), deadline=timedelta(minutes=1)) as channel:
        await UserServiceStub(channel).Register(
            user_pb2.RegisterRequest(
                account_id=str(uuid4()),
                name=address.partition("@")[0],
                email=address,
                password=PASSWORD,
                captcha=await deployment.code_to(address),
            )
        )
    heir.process.stop()


async def test_an_admin_makes_accounts_and_gives_new_passwords(
    user: UserServiceAsyncStub, deployment: Deployment
) -> None:
    told = json.loads((deployment.home / "admin.json").read_text())
    admin = await user.Login(user_pb2.LoginRequest(login=told["name"], password=told["password"]))
    assert (await user.GetRegistration(user_pb2.GetRegistrationRequest())).admin_seen
    actor = common_pb2.Actor(account_id=admin.account.id, role=admin.account.role)
    name = f"m{uuid4().hex[:20]}"
    new = user_pb2.NewAccount(account_id=str(uuid4()), name=name, role=common_pb2.ROLE_SETTER)
    made = await user.CreateAccounts(user_pb2.CreateAccountsRequest(actor=actor, accounts=[new]))
    (creation,) = made.creations
    assert creation.outcome == user_pb2.CREATION_OUTCOME_CREATED
    await user.Login(user_pb2.LoginRequest(login=name, password=creation.password))
    reset = await user.ResetPassword(
        user_pb2.ResetPasswordRequest(actor=actor, account_id=creation.account_id)
    )
    with pytest.raises(RemoteError, match="bad_credentials"):
        await user.Login(user_pb2.LoginRequest(login=name, password=creation.password))
    await user.Login(user_pb2.LoginRequest(login=name, password=reset.password))


async def test_another_process_knows_the_sessions_the_keys_and_that_there_is_an_admin(
    user: UserServiceAsyncStub, member: Member, serving: Service, deployment: Deployment
) -> None:
    file = deployment.home / "admin.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    said = json.loads(file.read_text())
    answer = await user.Login(user_pb2.LoginRequest(login=said["name"], password=said["password"]))
    assert answer.account.role == common_pb2.ROLE_ADMIN
    assert said["password"] not in serving.process.log.read_text()
    file.unlink()
    keys = await user.GetSigningKeys(user_pb2.GetSigningKeysRequest())
    again = deployment.start("deepoj_user", deployment.settings, listen=f"unix:{deployment.home}/again.sock")
    async with connect(again.address, Secret(TOKEN), deadline=timedelta(minutes=1)) as channel:
        restarted = UserServiceStub(channel)
        refreshed = await restarted.Refresh(
            user_pb2.RefreshRequest(refresh_token=member.tokens.refresh_token)
        )
        assert refreshed.account.id == member.account.id
        assert await restarted.GetSigningKeys(user_pb2.GetSigningKeysRequest()) == keys
    assert not file.exists()
    again.process.stop()
    assert again.process.exit_code() == 0


async def test_an_operator_makes_an_admin_with_a_password_from_standard_input(
    user: UserServiceAsyncStub, deployment: Deployment
) -> None:
    environ = {f"DEEPOJ_{name.upper()}": value for name, value in deployment.settings.items()}
    environ |= {"DEEPOJ_LISTEN": "unix:/nobody", "DEEPOJ_SERVICE_TOKEN": TOKEN}
    command = [sys.executable, "-m", "deepoj_user", "create-admin"]
    command += ["--name", "chief", "--email", "chief@example.org"]
    done = await asyncio.to_thread(
        subprocess.run, command, input=b"a long secret\n", capture_output=True, check=False, env=environ
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    answer = await user.Login(user_pb2.LoginRequest(login="chief", password="a long secret"))
    assert answer.account.role == common_pb2.ROLE_ADMIN


async def test_refusals_say_what_why_and_when_to_return(user: UserServiceAsyncStub) -> None:
    origin = user_pb2.Origin(address="192.0.2.1")
    request = user_pb2.LoginRequest(login="nobody-here", password="wrong password", origin=origin)
    kinds = [await refusal(user, request) for _ in range(11)]
    assert {(each.kind, each.reason) for each in kinds[:10]} == {(Kind.UNAUTHENTICATED, "bad_credentials")}
    assert (kinds[10].kind, kinds[10].reason) == (Kind.EXHAUSTED, "too_many_tries")
    assert kinds[10].retry_after is not None


async def test_metrics_and_logs_name_no_person(
    user: UserServiceAsyncStub, member: Member, serving: Service
) -> None:
    await refusal(user, user_pb2.LoginRequest(login=member.email, password="wrong password"))
    page = http_get(f"{serving.ops_url}/metrics")[1]
    assert 'user_events_total{event="log_in_failed"}' in page
    assert 'user_refusals_total{reason="bad_credentials"}' in page
    assert 'user_mails_total{outcome="delivered"}' in page
    assert member.account.id not in page
    log = serving.process.log.read_text()
    assert member.account.id in log
    for secret in (member.email, PASSWORD, member.tokens.refresh_token, member.tokens.access_token):
        assert secret not in page + log


async def refusal(user: UserServiceAsyncStub, request: user_pb2.LoginRequest) -> RemoteError:
    with pytest.raises(RemoteError) as refused:
        await user.Login(request)
    return refused.value


async def test_an_open_site_lets_in_without_mail_and_makes_guests(
    deployment: Deployment,
) -> None:
    settings = deployment.settings | {"registration": "open", "guest_accounts": "true"}
    serving = deployment.start("deepoj_user", settings)
    async with connect(serving.address, Secret(TOKEN), deadline=timedelta(minutes=1)) as channel:
        user: UserServiceAsyncStub = UserServiceStub(channel)
        told = await user.GetRegistration(user_pb2.GetRegistrationRequest())
        assert (told.mode, told.guest_accounts) == (user_pb2.REGISTRATION_MODE_OPEN, True)
        assert told.first_admin == f"{deployment.home.name}/admin.json"
        name = f"m{uuid4().hex[:20]}"
        made = await user.Register(
            user_pb2.RegisterRequest(account_id=str(uuid4()), name=name, password=PASSWORD, sign_in=True)
        )
        guest = await user.MakeGuest(user_pb2.MakeGuestRequest(account_id=str(uuid4())))
        assert guest.account.name.startswith("guest-")
        refreshed = await user.Refresh(user_pb2.RefreshRequest(refresh_token=made.tokens.refresh_token))
        actor = common_pb2.Actor(account_id=made.account.id, role=made.account.role)
        (session,) = (await user.ListSessions(user_pb2.ListSessionsRequest(actor=actor))).sessions
        sid = jwt.decode(refreshed.tokens.access_token, options={"verify_signature": False})["sid"]
        assert session.id == sid
        await user.EndSession(user_pb2.EndSessionRequest(actor=actor, session_id=sid))
        with pytest.raises(RemoteError, match="refresh_token_invalid"):
            await user.Refresh(user_pb2.RefreshRequest(refresh_token=refreshed.tokens.refresh_token))
