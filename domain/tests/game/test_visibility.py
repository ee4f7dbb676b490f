"""Who sees what of a game: every cell of (viewer × phase × resource)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import ParticipantKind, phase_for
from deepoj_domain.game.refusal import GameRefusal as Why
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.game.visibility import (
    BoardView,
    Viewer,
    is_listed_for,
    may_create,
    may_see_problems,
    may_see_submission,
    may_see_verdict,
    rules_for,
    shows_frozen,
    viewer_of,
    why_no_board,
)
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.submission import Standing
from deepoj_domain.submission.visibility import Sight, sight_of
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT, a_game, a_participant, uuid

HOUR = timedelta(hours=1)
ICPC, OI = a_game(), a_game(Format.OI)
# before, running, frozen, ended
MOMENTS = (NOW - HOUR, NOW, NOW + 4 * HOUR, NOW + 5 * HOUR)
ADMIN, JUDGE, PARTICIPANT, PUBLIC = Viewer.ADMIN, Viewer.JUDGE, Viewer.PARTICIPANT, Viewer.PUBLIC
VIEW = BoardView
HIDDEN = Why.BOARD_HIDDEN


@pytest.mark.parametrize(
    ("viewer", "visible"),
    [
        (ADMIN, (True, True, True, True)),
        (JUDGE, (True, True, True, True)),
        (PARTICIPANT, (False, True, True, True)),
        (PUBLIC, (False, False, False, True)),
    ],
)
def test_problems(viewer: Viewer, visible: tuple[bool, ...]) -> None:
    assert tuple(may_see_problems(ICPC, viewer, now) for now in MOMENTS) == visible


@pytest.mark.parametrize(
    ("viewer", "own", "visible"),
    [
        (JUDGE, False, (True, True, True, True)),
        (PARTICIPANT, True, (True, True, True, True)),
        (PARTICIPANT, False, (False, False, False, False)),
        (PUBLIC, False, (False, False, False, False)),
    ],
)
def test_submissions(viewer: Viewer, *, own: bool, visible: tuple[bool, ...]) -> None:
    assert tuple(may_see_submission(ICPC, viewer, own=own, now=now) for now in MOMENTS) == visible
    assert tuple(may_see_verdict(ICPC, viewer, own=own, now=now) for now in MOMENTS) == visible


@pytest.mark.parametrize(
    ("viewer", "own", "visible"),
    [
        (ADMIN, False, (True, True, True, True)),
        (PARTICIPANT, True, (False, False, False, True)),
        (PARTICIPANT, False, (False, False, False, False)),
        (PUBLIC, False, (False, False, False, False)),
    ],
)
def test_verdicts_of_an_oi_game_come_after_the_end(
    viewer: Viewer, *, own: bool, visible: tuple[bool, ...]
) -> None:
    assert tuple(may_see_verdict(OI, viewer, own=own, now=now) for now in MOMENTS) == visible


@pytest.mark.parametrize(
    ("game_format", "viewer", "view", "refusals"),
    [
        (Format.ICPC, JUDGE, VIEW.ADMIN, (None, None, None, None)),
        (Format.OI, ADMIN, VIEW.ADMIN, (None, None, None, None)),
        (Format.ICPC, PARTICIPANT, VIEW.ADMIN, (Why.ACCESS_DENIED,) * 4),
        (Format.ICPC, PARTICIPANT, VIEW.OWN, (HIDDEN, None, None, None)),
        (Format.ICPC, PUBLIC, VIEW.OWN, (Why.NOT_A_PARTICIPANT,) * 4),
        (Format.ICPC, PUBLIC, VIEW.PUBLIC, (HIDDEN, None, None, None)),
        (Format.IOI, PUBLIC, VIEW.FROZEN, (HIDDEN, None, None, None)),
        (Format.OI, PARTICIPANT, VIEW.OWN, (HIDDEN, HIDDEN, HIDDEN, None)),
        (Format.OI, PUBLIC, VIEW.PUBLIC, (HIDDEN, HIDDEN, HIDDEN, None)),
    ],
)
def test_board(
    game_format: Format, viewer: Viewer, view: BoardView, refusals: tuple[Why | None, ...]
) -> None:
    game = a_game(game_format)
    assert tuple(why_no_board(game, viewer, view, now, now) for now in MOMENTS) == refusals


def test_after_the_end_of_an_oi_game_its_board_is_shown_as_of_any_moment() -> None:
    running, ended = MOMENTS[1], MOMENTS[-1]
    assert why_no_board(OI, PUBLIC, VIEW.PUBLIC, at=running, now=ended) is None


@pytest.mark.parametrize(
    ("view", "frozen"),
    [
        (VIEW.ADMIN, (False, False, False, False)),
        (VIEW.FROZEN, (True, True, True, True)),
        (VIEW.PUBLIC, (False, False, True, True)),
        (VIEW.OWN, (False, False, True, True)),
    ],
)
def test_a_board_stands_still_from_the_freeze_on(view: BoardView, frozen: tuple[bool, ...]) -> None:
    assert tuple(shows_frozen(ICPC, view, now) for now in MOMENTS) == frozen


def unfrozen(game: Game) -> Game:
    schedule = replace(game.plan.schedule, unfrozen_at=MOMENTS[-1])
    return replace(game, plan=replace(game.plan, schedule=schedule))


def test_an_unfrozen_board_is_full_for_everybody() -> None:
    assert not shows_frozen(unfrozen(ICPC), VIEW.PUBLIC, MOMENTS[-1])
    assert shows_frozen(unfrozen(ICPC), VIEW.PUBLIC, MOMENTS[-2])


@pytest.mark.parametrize("game", [ICPC, OI], ids=["icpc", "oi"])
def test_submissions_of_others_are_shown_once_the_board_is_unfrozen(game: Game) -> None:
    for viewer in (PARTICIPANT, PUBLIC):
        shown = tuple(may_see_verdict(unfrozen(game), viewer, own=False, now=now) for now in MOMENTS)
        assert shown == (False, False, False, True)


def test_who_is_who() -> None:
    alice = Actor(ALICE, Role.CONTESTANT)
    taking_part = a_participant()
    helper = replace(ICPC, plan=replace(ICPC.plan, admins=frozenset({ALICE})))
    jury = replace(ICPC, plan=replace(ICPC.plan, judges=frozenset({ALICE})))
    assert viewer_of(ICPC, None, None) is PUBLIC
    assert viewer_of(ICPC, alice, None) is PUBLIC
    assert viewer_of(ICPC, alice, taking_part) is PARTICIPANT
    assert viewer_of(ICPC, alice, replace(taking_part, withdrawn=True)) is PUBLIC
    assert viewer_of(helper, alice, taking_part) is ADMIN
    assert viewer_of(jury, alice, None) is JUDGE
    assert viewer_of(ICPC, Actor(BOB, Role.SETTER), None) is ADMIN
    assert viewer_of(ICPC, ROOT, None) is ADMIN


def test_setters_judges_and_admins_create_games() -> None:
    assert [role for role in Role if may_create(Actor(ALICE, role))] == [Role.SETTER, Role.JUDGE, Role.ADMIN]
    assert not may_create(None)


def test_a_private_game_is_listed_for_those_it_concerns() -> None:
    alice = Actor(ALICE, Role.CONTESTANT)
    private = a_game(sign_up=SignUpRules(private=True))
    invited = a_game(sign_up=SignUpRules(private=True, invited=frozenset({ALICE})))
    assert is_listed_for(ICPC, None, PUBLIC)
    assert not is_listed_for(private, None, PUBLIC)
    assert not is_listed_for(private, alice, PUBLIC)
    assert is_listed_for(private, alice, PARTICIPANT)
    assert is_listed_for(private, alice, JUDGE)
    assert is_listed_for(invited, alice, PUBLIC)
    assert not is_listed_for(replace(ICPC, deleted=True), ROOT, ADMIN)


VIRTUAL = replace(a_participant(), kind=ParticipantKind.VIRTUAL, virtual_start=MOMENTS[-1])
VIRTUAL_MOMENTS = (MOMENTS[-1] + HOUR, MOMENTS[-1] + 5 * HOUR)
STRANGER = AccountId(uuid(77))


@pytest.mark.parametrize("make", [lambda game: game, unfrozen], ids=["frozen", "unfrozen"])
@pytest.mark.parametrize("game", [ICPC, OI], ids=["icpc", "oi"])
@pytest.mark.parametrize("actor", [ALICE, BOB, STRANGER], ids=["participant", "staff", "stranger"])
@pytest.mark.parametrize("own", [True, False], ids=["own", "other's"])
@pytest.mark.parametrize("virtual", [False, True], ids=["official", "virtual"])
def test_the_service_of_submissions_shows_what_this_table_says(
    make: Callable[[Game], Game], game: Game, actor: AccountId, *, own: bool, virtual: bool
) -> None:
    game, who = make(game), Actor(actor, Role.CONTESTANT)
    taking_part = VIRTUAL if virtual else a_participant()
    mine = replace(taking_part, account_id=actor) if actor == ALICE else None
    owner = actor if own else AccountId(uuid(78))
    theirs = mine if own else replace(taking_part, account_id=owner)
    for now in VIRTUAL_MOMENTS if virtual else MOMENTS:
        viewer = viewer_of(game, who, mine)
        ended = theirs is None or phase_for(game, theirs, now).is_over
        running = frozenset[AccountId]() if ended or not virtual else frozenset({owner})
        rules = rules_for(game, who, mine, running, now)
        sight = sight_of(who, owner=owner, game_id=game.id, standing=Standing.HEAD, rules=rules)
        seen = (sight is not Sight.NOTHING, sight in {Sight.OUTLINE, Sight.EVERYTHING})
        assert seen == (
            may_see_submission(game, viewer, own=own, now=now, participant=theirs),
            may_see_verdict(game, viewer, own=own, now=now, participant=theirs),
        )


def test_a_private_game_shows_its_submissions_only_to_those_it_concerns() -> None:
    private = unfrozen(a_game(sign_up=SignUpRules(private=True)))
    stranger, alice = Actor(STRANGER, Role.CONTESTANT), Actor(ALICE, Role.CONTESTANT)
    nobody = frozenset[AccountId]()
    assert not rules_for(private, stranger, None, nobody, MOMENTS[-1]).shows_others
    assert not rules_for(private, None, None, nobody, MOMENTS[-1]).shows_others
    assert rules_for(private, alice, a_participant(), nobody, MOMENTS[-1]).shows_others
    assert rules_for(private, stranger, None, nobody, MOMENTS[-1]).tells_verdicts


def test_whoever_may_change_a_game_manages_it_and_its_judges_do_not() -> None:
    plan = replace(ICPC.plan, admins=frozenset({ALICE}), judges=frozenset({STRANGER}))
    game = replace(ICPC, plan=plan)
    who = {each: Actor(each, Role.SETTER) for each in (BOB, ALICE, STRANGER, AccountId(uuid(78)))}

    def managers(of: Game) -> set[AccountId]:
        rules = {each: rules_for(of, actor, None, frozenset(), NOW) for each, actor in who.items()}
        return {each for each, found in rules.items() if found.manages}

    assert managers(game) == {BOB, ALICE}
    assert managers(replace(game, deleted=True)) == set()
