"""What crosses the wire: every refusal has its words, every verdict its number."""

from __future__ import annotations

from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.kernel.verdict import Verdict
from deepoj_game.commands.ports import CommandRefusal
from deepoj_game.inbound.grpc.refusals import MESSAGES
from deepoj_game.outbound.grpc.records import VERDICTS
from deepoj_game.outbound.passwords import Argon2Passwords
from deepoj_game.queries.views import QueryRefusal


def test_every_refusal_has_a_message_of_its_own() -> None:
    reasons = {*GameRefusal, *CommandRefusal, *QueryRefusal}
    assert {str(reason) for reason in reasons} <= set(MESSAGES)


def test_every_verdict_crosses_the_wire() -> None:
    assert set(VERDICTS.values()) == set(Verdict)


async def test_a_password_matches_itself_and_is_not_readable() -> None:
    passwords = Argon2Passwords()
    stored = await passwords.hashed("open sesame")
    assert "sesame" not in stored
    assert await passwords.matches("open sesame", stored)
    assert not await passwords.matches("Open sesame", stored)
    assert stored != await passwords.hashed("open sesame"), "a salt of its own"


async def test_a_password_that_was_stored_by_scrypt_still_matches() -> None:
    passwords = Argon2Passwords()
    stored = "scrypt$AAECAwQFBgcICQoLDA0ODw==$fTfzoLyPAH2olSiLhfKjA92Q4XpKw0fGakH5MUTuB24="
    assert await passwords.matches("open sesame", stored)
    assert not await passwords.matches("Open sesame", stored)
    assert not await passwords.matches("the password of nobody", None)
    assert not await passwords.matches("the password of nobody", stored)
