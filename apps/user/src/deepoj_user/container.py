"""The composition root: the only place that constructs."""

from __future__ import annotations

import secrets
import ssl
from datetime import timedelta

from dependency_injector import containers, providers

from deepoj_domain.streams import Streams
from deepoj_kit.clock import Clock, system_clock
from deepoj_kit.grpc import Server
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Process
from deepoj_kit.outbox import Outbox, Relay, StreamGuard
from deepoj_kit.postgres import Database
from deepoj_kit.streams import connect as connect_redis
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.authenticate_api_token import AuthenticateApiToken
from deepoj_user.commands.captcha_check import CaptchaCheck
from deepoj_user.commands.change_password import ChangePassword
from deepoj_user.commands.create_accounts import CreateAccounts
from deepoj_user.commands.create_admin import CreateAdmin
from deepoj_user.commands.create_api_token import CreateApiToken
from deepoj_user.commands.create_invitation import CreateInvitation
from deepoj_user.commands.delete import Delete
from deepoj_user.commands.end_session import EndSession
from deepoj_user.commands.log_in import LogIn
from deepoj_user.commands.log_out import LogOut, LogOutEverywhere
from deepoj_user.commands.mail_captcha import MailCaptcha
from deepoj_user.commands.make_guest import MakeGuest
from deepoj_user.commands.refresh import Refresh
from deepoj_user.commands.register import Register
from deepoj_user.commands.replace_password import ReplacePassword
from deepoj_user.commands.reset_password import ResetPassword
from deepoj_user.commands.revoke_api_token import RevokeApiToken
from deepoj_user.commands.revoke_invitation import RevokeInvitation
from deepoj_user.commands.send_captcha import SendCaptcha
from deepoj_user.commands.session_tokens import SessionTokens
from deepoj_user.commands.set_role import SetRole
from deepoj_user.commands.set_status import SetStatus
from deepoj_user.commands.update_info import UpdateInfo
from deepoj_user.inbound.grpc.account_calls import AccountUseCases
from deepoj_user.inbound.grpc.administration_calls import AdministrationUseCases
from deepoj_user.inbound.grpc.refusals import translate
from deepoj_user.inbound.grpc.servicer import UserServicer
from deepoj_user.inbound.grpc.session_calls import SessionUseCases
from deepoj_user.inbound.grpc.token_calls import TokenUseCases
from deepoj_user.outbound.access_tokens import SignedAccessTokens
from deepoj_user.outbound.captcha_codes import KeyedCaptchaCodes
from deepoj_user.outbound.mail.files import FileTransport
from deepoj_user.outbound.mail.mailer import TransportMailer
from deepoj_user.outbound.mail.smtp import SmtpServer, SmtpTransport
from deepoj_user.outbound.mail.transport import Letterhead
from deepoj_user.outbound.messages import Messages, retention
from deepoj_user.outbound.passwords import Argon2Passwords
from deepoj_user.outbound.postgres.captcha_mail_queue import PostgresCaptchaMailQueue
from deepoj_user.outbound.postgres.directory import PostgresDirectory
from deepoj_user.outbound.postgres.purge import Keep, Purge
from deepoj_user.outbound.postgres.signing_keys import PostgresSigningKeys
from deepoj_user.outbound.postgres.store import PostgresStore
from deepoj_user.outbound.postgres.tables import OUTBOX
from deepoj_user.outbound.postgres.throttle import PostgresThrottle
from deepoj_user.outbound.postgres.views import (
    PostgresAdminLogIns,
    PostgresAuditViews,
    PostgresInvitationViews,
    PostgresSessionViews,
    PostgresTokenViews,
    PostgresViews,
)
from deepoj_user.queries.get import Get
from deepoj_user.queries.get_registration import GetRegistration
from deepoj_user.queries.list import List
from deepoj_user.queries.list_api_tokens import ListApiTokens
from deepoj_user.queries.list_audit_log import ListAuditLog
from deepoj_user.queries.list_invitations import ListInvitations
from deepoj_user.queries.list_sessions import ListSessions
from deepoj_user.settings import UserSettings

# The clock of a service that checks tokens may go wrong by this much.
_CLOCK_MARGIN = timedelta(hours=1)


def make_mailer(settings: UserSettings, clock: Clock) -> TransportMailer:
    letterhead = Letterhead(settings.mail_from, clock)
    if settings.smtp_host is not None:
        server = SmtpServer(
            host=settings.smtp_host,
            port=settings.smtp_port,
            security=settings.smtp_security,
            username=settings.smtp_username,
            password=settings.smtp_password,
            timeout=settings.smtp_timeout.total_seconds(),
            tls=ssl.create_default_context(cafile=settings.smtp_ca),
        )
        return TransportMailer(SmtpTransport(server, letterhead))
    if settings.mail_outbox is not None:
        return TransportMailer(FileTransport(settings.mail_outbox, letterhead, clock))
    return TransportMailer(None)


def make_keep(settings: UserSettings) -> Keep:
    keys = settings.signing_key_age + settings.access_validity + _CLOCK_MARGIN
    return Keep(signing_keys=keys, audit_log=settings.audit_keep)


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=UserSettings)
    process = providers.Dependency(instance_of=Process)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)
    random_bytes = providers.Object(secrets.token_bytes)
    codes = providers.Singleton(KeyedCaptchaCodes, settings.provided.signing_terms.call().passphrase)

    # Adapters.
    database = providers.Singleton(Database.from_settings, settings, "deepoj_user")
    redis = providers.Singleton(
        connect_redis, settings.provided.redis_url.reveal.call(), settings.provided.tls_files
    )
    streams = providers.Singleton(Streams, settings.provided.env)
    retention = providers.Singleton(retention, streams)
    outbox = providers.Singleton(Outbox, OUTBOX, clock=clock, new_id=new_id)
    # Changes of accounts are few, so the relay takes all of them; it is woken by the commit.
    relay = providers.Singleton(Relay, outbox, database, redis, clock=clock, retention=retention)
    guard = providers.Singleton(
        StreamGuard, outbox, database, redis, clock=clock,
        retention=retention, on_lost=relay.provided.wake.set,
    )  # fmt: skip
    store = providers.Singleton(
        PostgresStore,
        database,
        providers.Singleton(Messages, outbox, streams.provided.account_events),
        relay.provided.wake.set,
        clock,
        new_id,
    )
    mail_queue = providers.Singleton(PostgresCaptchaMailQueue, database)
    directory = providers.Singleton(PostgresDirectory, database)
    throttle = providers.Singleton(PostgresThrottle, database)
    views = providers.Singleton(PostgresViews, database)
    token_views = providers.Singleton(PostgresTokenViews, database)
    session_views = providers.Singleton(PostgresSessionViews, database)
    invitation_views = providers.Singleton(PostgresInvitationViews, database)
    admin_log_ins = providers.Singleton(PostgresAdminLogIns, database)
    audit_views = providers.Singleton(PostgresAuditViews, database)
    signing_keys = providers.Singleton(PostgresSigningKeys, database)
    access_tokens = providers.Singleton(
        SignedAccessTokens, signing_keys, settings.provided.signing_terms.call(), clock
    )
    passwords = providers.Singleton(Argon2Passwords, settings.provided.hashing_terms.call())
    mailer = providers.Singleton(make_mailer, settings, clock)
    purge = providers.Singleton(Purge, database, providers.Factory(make_keep, settings), clock)

    # Use cases.
    gate = providers.Singleton(
        AttemptGate, throttle, settings.provided.limits.call(), settings.provided.exempt.call()
    )
    session_tokens = providers.Singleton(
        SessionTokens, access_tokens, settings.provided.session_terms.call(), new_id, random_bytes
    )
    captcha_check = providers.Singleton(CaptchaCheck, store)
    mail_captcha = providers.Singleton(
        MailCaptcha, mail_queue, mailer, codes, settings.provided.captcha_terms.call(), clock
    )
    create_admin = providers.Singleton(CreateAdmin, store, passwords, clock, new_id)
    session_use_cases = providers.Singleton(
        SessionUseCases,
        get_registration=providers.Singleton(
            GetRegistration, admin_log_ins, settings.provided.registration,
            settings.provided.first_admin_file, guest_accounts=settings.provided.guest_accounts,
        ),
        register=providers.Singleton(
            Register, store, settings.provided.registration, captcha_check, passwords, session_tokens, gate,
            clock,
        ),
        make_guest=providers.Singleton(
            MakeGuest, store, settings.provided.guest_accounts, passwords, session_tokens, gate,
            random_bytes, clock,
        ),
        log_in=providers.Singleton(LogIn, store, directory, passwords, session_tokens, gate, clock),
        refresh=providers.Singleton(Refresh, store, session_tokens, clock),
        log_out=providers.Singleton(LogOut, store),
        log_out_everywhere=providers.Singleton(LogOutEverywhere, store, clock),
        change_password=providers.Singleton(ChangePassword, store, captcha_check, passwords, gate, clock),
        replace_password=providers.Singleton(
            ReplacePassword, store, passwords, session_tokens, gate, clock
        ),
        list_sessions=providers.Singleton(ListSessions, session_views, clock),
        end_session=providers.Singleton(EndSession, store),
        send_captcha=providers.Singleton(
            SendCaptcha, store, mailer, gate, settings.provided.captcha_terms.call(), clock, new_id,
            codes,
        ),
    )  # fmt: skip
    account_use_cases = providers.Singleton(
        AccountUseCases,
        get=providers.Singleton(Get, views),
        list=providers.Singleton(List, views),
        update_info=providers.Singleton(UpdateInfo, store, clock),
        set_role=providers.Singleton(SetRole, store, clock),
        set_status=providers.Singleton(SetStatus, store, clock),
        delete=providers.Singleton(Delete, store, clock),
    )
    administration_use_cases = providers.Singleton(
        AdministrationUseCases,
        create_accounts=providers.Singleton(
            CreateAccounts, store, directory, passwords, gate, random_bytes, clock
        ),
        reset_password=providers.Singleton(ResetPassword, store, passwords, random_bytes, clock),
        create_invitation=providers.Singleton(CreateInvitation, store, random_bytes, clock),
        list_invitations=providers.Singleton(ListInvitations, invitation_views),
        revoke_invitation=providers.Singleton(RevokeInvitation, store),
    )
    token_use_cases = providers.Singleton(
        TokenUseCases,
        create=providers.Singleton(CreateApiToken, store, clock, random_bytes),
        list=providers.Singleton(ListApiTokens, token_views),
        revoke=providers.Singleton(RevokeApiToken, store, clock),
        authenticate=providers.Singleton(AuthenticateApiToken, directory, clock),
        audit_log=providers.Singleton(ListAuditLog, audit_views),
        signing_keys=signing_keys,
        issuer=settings.provided.signing_terms.call().issuer,
    )

    # Inbound.
    servicer = providers.Singleton(
        UserServicer, session_use_cases, account_use_cases, administration_use_cases, token_use_cases
    )
    server = providers.Singleton(
        Server.for_process, settings, process.provided.readiness, translate=providers.Object(translate)
    )
