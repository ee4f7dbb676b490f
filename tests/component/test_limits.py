"""What the front door lets in, the service behind it takes; what is too much for one is so for both."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from apps.game.tests.contests import a_draft
from deepoj_bff.inbound.http.wire import contest, user
from deepoj_bff.queries.views.contest import ContestProblem
from deepoj_domain.account.api_token import ApiToken, Scope
from deepoj_domain.account.personal import Profile, email_address, new_password, username
from deepoj_domain.game.clarification import Clarification
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, ApiTokenId, ClarificationId, GameId
from deepoj_game.commands.sign_up import checked_name
from deepoj_game.commands.update_participant import ParticipantEdit
from deepoj_game.inbound.grpc import drafts
from deepoj_proto.game.v1 import game_pb2

from . import limits_of_problems

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def drafted(**fields: Any) -> object:  # noqa: ANN401 — the names of a message
    draft = a_draft(timedelta(hours=1), problems=0)
    draft.ClearField("title" if "title" in fields else "description")
    draft.MergeFrom(game_pb2.Draft(**fields))
    return drafts.plan(draft)


def labelled(text: str) -> object:
    return drafted(problems=[game_pb2.Problem(question_id=str(uuid4()), label=text)])


def noted(text: str) -> object:
    return Clarification(
        id=ClarificationId(uuid4()),
        game_id=GameId(uuid4()),
        asked_by=None,
        question_id=None,
        text=text,
        asked_at=NOW,
    )


def address(length: int) -> str:
    return ("a@" + "b" * max(0, length - 4) + ".c")[-length:] if length else ""


def named_token(text: str) -> object:
    return ApiToken(
        id=ApiTokenId(uuid4()),
        account_id=AccountId(uuid4()),
        name=text,
        digest=b"",
        scopes=frozenset(Scope),
        created_at=NOW,
    )


def many_words(text: str) -> str:
    """Return what is no repeated character: that would be a weak password, and not a long one."""
    return ("password" * 40)[: len(text)]


Take = Callable[[str], object]
# A field of a body → what the service does with the text.
TEXTS: list[tuple[type[msgspec.Struct], str, Take]] = [
    (contest.ContestDraft, "title", lambda text: drafted(title=text)),
    (contest.ContestDraft, "description", lambda text: drafted(description=text)),
    (contest.ContestDraft, "password", lambda text: drafted(password=text)),
    (ContestProblem, "label", labelled),
    (contest.SignUp, "display_name", checked_name),
    (contest.ParticipantEdit, "display_name", lambda text: ParticipantEdit(display_name=text)),
    (contest.NewClarification, "text", noted),
    *limits_of_problems.TEXTS,
    (user.Registration, "name", username),
    (user.Registration, "email", lambda text: email_address(address(len(text)))),
    (user.Registration, "password", lambda text: new_password(many_words(text), "ada", "ada@example.org")),
    (user.PasswordChange, "new_password", lambda text: new_password(many_words(text), "", "ada@example.org")),
    (user.ProfileEdit, "display_name", lambda text: Profile(display_name=text)),
    (user.ProfileEdit, "bio", lambda text: Profile(bio=text)),
    (user.ProfileEdit, "avatar", lambda text: Profile(avatar=f"https://{text}"[: len(text)])),
    (user.NewApiToken, "name", named_token),
]
NUMBERS: list[tuple[type[msgspec.Struct], str, Callable[[int], object]]] = [
    (
        contest.ParticipantEdit,
        "penalty_adjustment_minutes",
        lambda value: ParticipantEdit(penalty_adjustment_minutes=value),
    ),
    *limits_of_problems.NUMBERS,
]


def limits(body: type[msgspec.Struct], name: str) -> Any:  # noqa: ANN401 — one of msgspec's descriptions
    """What the front door's description says of a field."""
    described = msgspec.inspect.type_info(body)
    assert isinstance(described, msgspec.inspect.StructType)
    (found,) = [field.type for field in described.fields if field.name == name]
    choices = found.types if isinstance(found, msgspec.inspect.UnionType) else (found,)
    bare = [each.type if isinstance(each, msgspec.inspect.Metadata) else each for each in choices]
    return next(each for each in bare if not isinstance(each, msgspec.inspect.NoneType))


def each(rows: list[tuple[type[msgspec.Struct], str, Callable[..., object]]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("body", "name", "take"), rows, ids=[f"{body.__name__}.{name}" for body, name, _ in rows]
    )


@each(TEXTS)
def test_a_text_is_as_long_as_the_description_says(body: type[msgspec.Struct], name: str, take: Take) -> None:
    found = limits(body, name)
    take("x" * found.max_length)
    with pytest.raises(InvalidValueError):
        take("x" * (found.max_length + 1))
    if found.min_length:
        take("x" * found.min_length)
        with pytest.raises(InvalidValueError):
            take("x" * (found.min_length - 1))


@each(NUMBERS)
def test_a_number_goes_as_far_as_the_description_says(
    body: type[msgspec.Struct], name: str, take: Callable[[int], object]
) -> None:
    found = limits(body, name)
    take(found.le)
    with pytest.raises(InvalidValueError):
        take(found.le + 1)
    if found.ge:
        take(found.ge)
        with pytest.raises(InvalidValueError):
            take(found.ge - 1)


@each(limits_of_problems.LISTS)
def test_a_list_has_as_many_entries_as_the_description_says(
    body: type[msgspec.Struct], name: str, take: Callable[[int], object]
) -> None:
    found = limits(body, name)
    take(found.max_length)
    with pytest.raises(InvalidValueError):
        take(found.max_length + 1)
    if found.min_length:
        take(found.min_length)
        with pytest.raises(InvalidValueError):
            take(found.min_length - 1)
