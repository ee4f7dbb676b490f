"""Who sees what of a game: every cell of (viewer × phase × resource)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.game.format import GameFormat
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.visibility import (
    BoardView,
    Viewer,
    board_view,
    may_see_problems,
    may_see_submission,
    may_see_verdict,
    viewer_of,
)
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, BOB, GAME, NOW, ROOT, a_game

HOUR = timedelta(hours=1)
ICPC, OI = a_game(), a_game(GameFormat.OI)
# before, running, frozen, ended
MOMENTS = (NOW - HOUR, NOW, NOW + 4 * HOUR, NOW + 5 * HOUR)
FULL, FROZEN, HIDDEN = BoardView.FULL, BoardView.FROZEN, BoardView.HIDDEN


@pytest.mark.parametrize(
    ("viewer", "visible"),
    [
        (Viewer.STAFF, (True, True, True, True)),
        (Viewer.PARTICIPANT, (False, True, True, True)),
        (Viewer.PUBLIC, (False, False, False, True)),
    ],
)
def test_problems(viewer: Viewer, visible: tuple[bool, ...]) -> None:
    assert tuple(may_see_problems(ICPC, viewer, now) for now in MOMENTS) == visible


@pytest.mark.parametrize(
    ("viewer", "own", "visible"),
    [
        (Viewer.STAFF, False, (True, True, True, True)),
        (Viewer.PARTICIPANT, True, (True, True, True, True)),
        (Viewer.PARTICIPANT, False, (False, False, False, True)),
        (Viewer.PUBLIC, False, (False, False, False, True)),
    ],
)
def test_submissions(viewer: Viewer, *, own: bool, visible: tuple[bool, ...]) -> None:
    assert tuple(may_see_submission(ICPC, viewer, own=own, now=now) for now in MOMENTS) == visible
    assert tuple(may_see_verdict(ICPC, viewer, own=own, now=now) for now in MOMENTS) == visible


@pytest.mark.parametrize(
    ("viewer", "own", "visible"),
    [
        (Viewer.STAFF, False, (True, True, True, True)),
        (Viewer.PARTICIPANT, True, (False, False, False, True)),
        (Viewer.PARTICIPANT, False, (False, False, False, True)),
        (Viewer.PUBLIC, False, (False, False, False, True)),
    ],
)
def test_verdicts_of_an_oi_game_come_after_the_end(
    viewer: Viewer, *, own: bool, visible: tuple[bool, ...]
) -> None:
    assert tuple(may_see_verdict(OI, viewer, own=own, now=now) for now in MOMENTS) == visible


@pytest.mark.parametrize(
    ("game_format", "viewer", "views"),
    [
        (GameFormat.ICPC, Viewer.STAFF, (FULL, FULL, FULL, FULL)),
        (GameFormat.ICPC, Viewer.PARTICIPANT, (HIDDEN, FULL, FROZEN, FROZEN)),
        (GameFormat.ICPC, Viewer.PUBLIC, (HIDDEN, FULL, FROZEN, FROZEN)),
        (GameFormat.IOI, Viewer.PUBLIC, (HIDDEN, FULL, FROZEN, FROZEN)),
        (GameFormat.OI, Viewer.STAFF, (FULL, FULL, FULL, FULL)),
        (GameFormat.OI, Viewer.PARTICIPANT, (HIDDEN, HIDDEN, HIDDEN, FROZEN)),
    ],
)
def test_board(game_format: GameFormat, viewer: Viewer, views: tuple[BoardView, ...]) -> None:
    assert tuple(board_view(a_game(game_format), viewer, now) for now in MOMENTS) == views


def test_an_unfrozen_board_is_full_for_everybody() -> None:
    schedule = replace(ICPC.plan.schedule, unfrozen_at=MOMENTS[-1])
    game = replace(ICPC, plan=replace(ICPC.plan, schedule=schedule))
    assert board_view(game, Viewer.PUBLIC, MOMENTS[-1]) is FULL


def test_who_is_who() -> None:
    alice = Actor(ALICE, Role.CONTESTANT)
    taking_part = Participant(game_id=GAME, account_id=ALICE, kind=ParticipantKind.OFFICIAL, signed_up_at=NOW)
    helper = replace(ICPC, plan=replace(ICPC.plan, staff=frozenset({ALICE})))
    assert viewer_of(ICPC, None, None) is Viewer.PUBLIC
    assert viewer_of(ICPC, alice, None) is Viewer.PUBLIC
    assert viewer_of(ICPC, alice, taking_part) is Viewer.PARTICIPANT
    assert viewer_of(ICPC, alice, replace(taking_part, withdrawn=True)) is Viewer.PUBLIC
    assert viewer_of(helper, alice, taking_part) is Viewer.STAFF
    assert viewer_of(ICPC, Actor(BOB, Role.SETTER), None) is Viewer.STAFF
    assert viewer_of(ICPC, ROOT, None) is Viewer.STAFF
