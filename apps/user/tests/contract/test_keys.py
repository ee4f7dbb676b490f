"""Passwords, signing keys and the purge, as they really are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import jwt
import pytest
from argon2 import PasswordHasher
from jwt.types import Options

from apps.user.tests.fakes import PlainPasswords, an_account
from deepoj_domain.account.captcha import Captcha, CaptchaPurpose
from deepoj_domain.account.personal import EmailAddress, PasswordHash
from deepoj_domain.account.session import SessionTerms, issue
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.ids import CaptchaId, FamilyId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_domain.testing import ALICE
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.ports import Bucket, BusyError, Passwords
from deepoj_user.outbound.access_tokens import SignedAccessTokens, SigningTerms
from deepoj_user.outbound.passwords import Argon2Passwords, HashingTerms
from deepoj_user.outbound.postgres.purge import Keep, Purge
from deepoj_user.outbound.postgres.signing_keys import PostgresSigningKeys
from deepoj_user.outbound.postgres.store import PostgresStore
from deepoj_user.outbound.postgres.throttle import PostgresThrottle

CHEAP = HashingTerms(memory_kib=64, passes=1, threads=1, waiting=1)
MINUTE = timedelta(minutes=1)
SIGNING = SigningTerms("deepoj:test", 5 * MINUTE, timedelta(days=30), Secret("a pass phrase"))
ACCOUNT = an_account(ALICE, "alice")
SESSION = FamilyId(uuid4())
TIMELESS: Options = {"verify_exp": False, "verify_iat": False}


@pytest.fixture
def argon2() -> Iterator[Argon2Passwords]:
    passwords = Argon2Passwords(CHEAP)
    yield passwords
    passwords.close()


@pytest.fixture(params=["plain", "argon2"])
def passwords(request: pytest.FixtureRequest) -> Passwords:
    return PlainPasswords() if request.param == "plain" else request.getfixturevalue("argon2")


async def test_only_the_password_that_was_hashed_is_right(passwords: Passwords) -> None:
    hashed = await passwords.hash("correct horse")
    assert (await passwords.verify("correct horse", hashed)).is_right
    assert not (await passwords.verify("correct horse ", hashed)).is_right
    assert not (await passwords.verify("correct horse", None)).is_right
    assert not (await passwords.verify("the password of nobody", None)).is_right


async def test_argon2id_is_salted_and_a_hash_of_other_parameters_is_outdated(argon2: Argon2Passwords) -> None:
    first, second = await argon2.hash("correct horse"), await argon2.hash("correct horse")
    assert first != second
    assert first.startswith("$argon2id$v=19$m=64,t=1,p=1$")
    stronger = Argon2Passwords(replace(CHEAP, passes=2))
    verified = await stronger.verify("correct horse", first)
    assert (verified.is_right, verified.is_outdated) == (True, True)
    assert not (await argon2.verify("correct horse", first)).is_outdated
    assert not (await argon2.verify("x", PasswordHash("no hash at all"))).is_right
    stronger.close()


async def test_all_take_the_same_work_while_two_kinds_of_hashes_are_in_use(
    argon2: Argon2Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    verify = PasswordHasher.verify

    def noted(hasher: PasswordHasher, hashed: str, password: str) -> bool:
        done.append(hashed.split("$")[3])
        return verify(hasher, hashed, password)

    monkeypatch.setattr(PasswordHasher, "verify", noted)
    stronger = Argon2Passwords(replace(CHEAP, passes=2))
    old, new = await argon2.hash("correct horse"), await stronger.hash("correct horse")
    assert (await stronger.verify("correct horse", old)).is_right
    done.clear()
    for hashed in (None, old, new):
        assert not (await stronger.verify("wrong", hashed)).is_right
        assert sorted(done) == ["m=64,t=1,p=1", "m=64,t=2,p=1"]
        done.clear()
    stronger.close()


async def test_a_flood_waits_in_line_and_the_rest_is_refused(argon2: Argon2Passwords) -> None:
    hashes = await asyncio.gather(*(argon2.hash("x") for _ in range(10)), return_exceptions=True)
    assert sum(isinstance(each, BusyError) for each in hashes) == 8
    assert isinstance(await argon2.hash("x"), str)


async def test_a_key_signs_until_it_is_old_and_is_checked_after(
    database: Database, clock: ManualClock
) -> None:
    keys = PostgresSigningKeys(database)
    access = SignedAccessTokens(keys, SIGNING, clock)
    clock.now = clock.now.replace(microsecond=700_000)
    first = await access.sign(ACCOUNT, SESSION)
    clock.advance(days=30)
    second = await access.sign(ACCOUNT, SESSION)
    public = {key.id: key.pem for key in await keys.public_keys()}
    kids = [jwt.get_unverified_header(token.text)["kid"] for token in (first, second)]
    assert set(kids) == set(public)
    assert kids[0] != kids[1]
    for token, kid in zip((first, second), kids, strict=True):
        claims = jwt.decode(
            token.text, public[kid], algorithms=["EdDSA"], issuer="deepoj:test", options=TIMELESS
        )
        assert (claims["sub"], claims["sid"], claims["role"]) == (str(ALICE), str(SESSION), "contestant")
        assert claims["exp"] == token.expires_at.timestamp()
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(first.text, public[kids[1]], algorithms=["EdDSA"], options=TIMELESS)


async def test_a_stored_key_is_useless_without_the_pass_phrase(
    database: Database, clock: ManualClock
) -> None:
    keys = PostgresSigningKeys(database)
    await SignedAccessTokens(keys, SIGNING, clock).sign(ACCOUNT, SESSION)
    async with database.connection() as connection:
        row = await (await connection.execute('SELECT private_key FROM "user".signing_keys')).fetchone()
    assert row is not None
    assert row[0].startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----")
    other = replace(SIGNING, passphrase=Secret("another"))
    await SignedAccessTokens(keys, other, clock).sign(ACCOUNT, SESSION)
    assert len(await keys.public_keys()) == 2


async def test_what_has_expired_is_deleted_and_nothing_else(
    database: Database, postgres_store: PostgresStore, clock: ManualClock
) -> None:
    throttle = PostgresThrottle(database)
    captcha = Captcha(
        id=CaptchaId(uuid4()),
        purpose=CaptchaPurpose.REGISTER,
        address=EmailAddress("a@example.org"),
        code=hash_of(b""),
        issued_at=clock.now,
        expires_at=clock.now + MINUTE,
        tries_left=5,
    )
    terms = SessionTerms(refresh_validity=timedelta(days=2))
    await throttle.charge([Bucket("a", RateLimit(MINUTE, 1))], clock.now)
    await SignedAccessTokens(PostgresSigningKeys(database), SIGNING, clock).sign(ACCOUNT, SESSION)
    async with postgres_store.transaction() as transaction:
        await transaction.captchas.put(captcha)
        await transaction.accounts.add(Changed(ACCOUNT))
        await transaction.sessions.add(issue(b"t", SESSION, ACCOUNT, terms, clock.now))
    purge = Purge(database, Keep(signing_keys=timedelta(days=31), audit_log=timedelta(days=365)), clock)
    deleted = []
    for days in (0, 1, 1, 1, 30):
        clock.advance(days=days, seconds=days)
        deleted.append(await purge())
    assert deleted == [0, 1, 2, 0, 1]
