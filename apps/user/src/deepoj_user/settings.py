"""What the user service is told from outside."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import msgspec

from deepoj_domain.account.captcha import CaptchaTerms
from deepoj_domain.account.registration import RegistrationMode
from deepoj_domain.account.session import SessionTerms
from deepoj_domain.kernel.network import Network, networks
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_kit.settings import PostgresUrl, ProcessSettings, Secret
from deepoj_user.commands.attempt_limits import AttemptLimits
from deepoj_user.outbound.access_tokens import SigningTerms
from deepoj_user.outbound.mail.smtp import Security
from deepoj_user.outbound.passwords import HashingTerms

Tries = Annotated[int, msgspec.Meta(ge=1, description="tries at once")]
Pace = Annotated[timedelta, msgspec.Meta(description="time in which one more try is allowed")]


class UserSettings(ProcessSettings, frozen=True, kw_only=True):
    postgres_url: PostgresUrl
    redis_url: Annotated[Secret, msgspec.Meta(description="Redis, redis://… or unix://…")]
    postgres_connections: Annotated[
        int, msgspec.Meta(ge=1, description="connections to PostgreSQL at most")
    ] = 8

    # Ways in.
    registration: Annotated[
        RegistrationMode,
        msgspec.Meta(
            description="how strangers get accounts: open (name and password), mail (a mailed code), "
            "invitation (a code of an admin), closed (admins make them)"
        ),
    ] = RegistrationMode.MAIL
    guest_accounts: Annotated[
        bool, msgspec.Meta(description="whether one click makes an account with a made-up name")
    ] = False
    exempt_networks: Annotated[
        tuple[str, ...],
        msgspec.Meta(description="networks not limited as one address, such as a contest hall's"),
    ] = ()

    # Sessions and tokens.
    access_validity: Annotated[
        timedelta,
        msgspec.Meta(
            description="life of an access token: how late a suspension is felt while Redis is away"
        ),
    ] = timedelta(minutes=5)
    refresh_validity: Annotated[timedelta, msgspec.Meta(description="how long a session may lie unused")] = (
        timedelta(days=14)
    )
    refresh_grace: Annotated[
        timedelta, msgspec.Meta(description="how long a used refresh token gives the same answer again")
    ] = timedelta(seconds=10)
    signing_key_age: Annotated[
        timedelta, msgspec.Meta(description="age at which a signing key is replaced")
    ] = timedelta(days=30)
    signing_key_passphrase: Annotated[
        Secret | None,
        msgspec.Meta(description="encrypts signing keys and makes mailed codes; unset: the service_token"),
    ] = None

    # Passwords.
    hash_memory: Annotated[
        int, msgspec.Meta(ge=8, description="memory of one password hash in KiB (argon2id)")
    ] = 19_456
    hash_passes: Annotated[int, msgspec.Meta(ge=1, description="passes of a password hash")] = 2
    hash_threads: Annotated[int, msgspec.Meta(ge=1, description="passwords hashed at once")] = 2
    hash_waiting: Annotated[
        int, msgspec.Meta(ge=0, description="passwords that wait to be hashed before callers are refused")
    ] = 64

    # Captchas.
    captcha_validity: Annotated[timedelta, msgspec.Meta(description="life of a mailed code")] = timedelta(
        minutes=10
    )
    captcha_resend: Annotated[
        timedelta, msgspec.Meta(description="time between two codes of a kind to one address")
    ] = timedelta(seconds=60)
    captcha_tries: Annotated[int, msgspec.Meta(ge=1, description="wrong codes before a code is void")] = 5

    # Throttles.
    address_tries: Tries = 30
    address_pace: Pace = timedelta(seconds=10)
    account_tries: Tries = 30
    account_pace: Pace = timedelta(seconds=30)
    pair_tries: Annotated[int, msgspec.Meta(ge=1, description="tries for an account from one address")] = 10
    pair_pace: Pace = timedelta(seconds=60)
    mail_address_tries: Annotated[int, msgspec.Meta(ge=1, description="codes asked for by one address")] = 10
    mail_address_pace: Pace = timedelta(seconds=60)
    mailbox_tries: Annotated[int, msgspec.Meta(ge=1, description="codes to one mailbox")] = 5
    mailbox_pace: Pace = timedelta(seconds=600)

    new_address_tries: Annotated[
        int, msgspec.Meta(ge=1, description="accounts without a proved address, from one address")
    ] = 10
    new_address_pace: Pace = timedelta(seconds=60)
    new_tries: Annotated[int, msgspec.Meta(ge=1, description="the same from everywhere")] = 1000
    new_pace: Pace = timedelta(seconds=2)
    made_tries: Annotated[
        int, msgspec.Meta(ge=1, description="accounts that somebody makes who is no admin")
    ] = 1000
    made_pace: Pace = timedelta(seconds=60)

    # Mail.
    smtp_host: Annotated[str | None, msgspec.Meta(description="mail server")] = None
    smtp_port: Annotated[int, msgspec.Meta(ge=1, le=65535, description="port of the mail server")] = 587
    smtp_security: Annotated[
        Security, msgspec.Meta(description="how the connection to the mail server is protected")
    ] = Security.STARTTLS
    smtp_username: Annotated[str | None, msgspec.Meta(description="user name at the mail server")] = None
    smtp_password: Annotated[Secret | None, msgspec.Meta(description="password at the mail server")] = None
    smtp_ca: Annotated[
        Path | None, msgspec.Meta(description="certificates to trust, PEM; unset: the system's")
    ] = None
    smtp_timeout: Annotated[timedelta, msgspec.Meta(description="patience with the mail server")] = timedelta(
        seconds=10
    )
    mail_from: Annotated[str, msgspec.Meta(description="sender of our mail")] = "deepoj@localhost"
    mail_outbox: Annotated[
        Path | None, msgspec.Meta(description="directory for mail when no mail server is set")
    ] = None

    # Housekeeping.
    outbox_keep: Annotated[
        timedelta,
        msgspec.Meta(description="how long delivered messages are kept: as long as their stream has them"),
    ] = timedelta(days=7)
    audit_keep: Annotated[timedelta, msgspec.Meta(description="how long the audit log is kept")] = timedelta(
        days=365
    )
    first_admin_file: Annotated[
        Path | None,
        msgspec.Meta(description="file for the credentials of an admin, made when there is none yet"),
    ] = None

    def session_terms(self) -> SessionTerms:
        return SessionTerms(refresh_validity=self.refresh_validity, grace=self.refresh_grace)

    def captcha_terms(self) -> CaptchaTerms:
        return CaptchaTerms(
            validity=self.captcha_validity, resend_after=self.captcha_resend, tries=self.captcha_tries
        )

    def signing_terms(self) -> SigningTerms:
        return SigningTerms(
            issuer=f"deepoj:{self.env}",
            validity=self.access_validity,
            key_age=self.signing_key_age,
            passphrase=self.signing_key_passphrase or self.service_token,
        )

    def hashing_terms(self) -> HashingTerms:
        return HashingTerms(
            memory_kib=self.hash_memory,
            passes=self.hash_passes,
            threads=self.hash_threads,
            waiting=self.hash_waiting,
        )

    def limits(self) -> AttemptLimits:
        return AttemptLimits(
            from_address=RateLimit(self.address_pace, self.address_tries),
            for_account=RateLimit(self.account_pace, self.account_tries),
            for_account_from_address=RateLimit(self.pair_pace, self.pair_tries),
            captchas_from_address=RateLimit(self.mail_address_pace, self.mail_address_tries),
            captchas_to_mailbox=RateLimit(self.mailbox_pace, self.mailbox_tries),
            accounts_from_address=RateLimit(self.new_address_pace, self.new_address_tries),
            accounts=RateLimit(self.new_pace, self.new_tries),
            accounts_by_staff=RateLimit(self.made_pace, self.made_tries),
        )

    def exempt(self) -> tuple[Network, ...]:
        return networks("exempt_networks", self.exempt_networks)
