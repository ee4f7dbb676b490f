"""What crosses the wire: every refusal has its words, every verdict its number."""

from __future__ import annotations

from uuid import uuid4

import pytest

from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.verdict import Verdict
from deepoj_game.commands.ports import CommandRefusal
from deepoj_game.inbound.grpc.refusals import MESSAGES
from deepoj_game.outbound.grpc.records import VERDICTS
from deepoj_game.outbound.passwords import Argon2Passwords
from deepoj_game.queries.paging import cursor_of, page_request
from deepoj_game.queries.views import QueryRefusal


def test_every_refusal_has_a_message_of_its_own() -> None:
    reasons = {*GameRefusal, *CommandRefusal, *QueryRefusal}
    assert {str(reason) for reason in reasons} <= set(MESSAGES)


def test_every_verdict_crosses_the_wire() -> None:
    assert set(VERDICTS.values()) == set(Verdict)


def test_a_position_survives_its_cursor() -> None:
    position = ("00ff", str(uuid4()))
    assert page_request(0, cursor_of(position), 2).after == position
    with pytest.raises(InvalidValueError, match="not one that was given out"):
        page_request(0, cursor_of(position), 1)


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
