import pytest

from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Standing
from deepoj_domain.submission.visibility import GameRules, QuestionRules, Sight, may_rejudge, sight_of
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION

OWNER = Actor(ALICE, Role.CONTESTANT)
OTHER = Actor(BOB, Role.CONTESTANT)
RUNNING = GameRules(tells_verdicts=True)
SILENT = GameRules()
SHOWN = GameRules(shows_others=True, tells_verdicts=True)
STAFF = GameRules(staff=True)


def in_game(actor: Actor, rules: GameRules | None) -> Sight:
    return sight_of(actor, owner=ALICE, game_id=GAME, standing=Standing.HEAD, rules=rules)


@pytest.mark.parametrize("game", [None, GAME])
@pytest.mark.parametrize("standing", Standing)
def test_a_guest_sees_nothing_and_staff_everything(game: object, standing: Standing) -> None:
    game_id = GAME if game else None
    assert sight_of(None, owner=ALICE, game_id=game_id, standing=standing) is Sight.NOTHING
    for role in (Role.JUDGE, Role.ADMIN):
        seen = sight_of(Actor(BOB, role), owner=ALICE, game_id=game_id, standing=standing)
        assert seen is Sight.EVERYTHING


def outside(actor: Actor, question: QuestionRules) -> Sight:
    return sight_of(actor, owner=ALICE, game_id=None, standing=Standing.HEAD, question=question)


def test_a_setter_sees_all_that_was_sent_to_questions_of_their_own_outside_games() -> None:
    setter = Actor(BOB, Role.SETTER)
    assert outside(setter, QuestionRules(reads=True, inspects=True)) is Sight.EVERYTHING
    assert outside(setter, QuestionRules(reads=True)) is Sight.OUTLINE
    assert in_game(setter, RUNNING) is Sight.NOTHING
    assert in_game(setter, STAFF) is Sight.EVERYTHING


def test_a_contestant_sees_their_own_but_never_a_candidate() -> None:
    for standing, seen in (
        (Standing.HEAD, Sight.EVERYTHING),
        (Standing.ARCHIVED, Sight.EVERYTHING),
        (Standing.CANDIDATE, Sight.NOTHING),
        (Standing.DISCARDED, Sight.NOTHING),
    ):
        assert sight_of(OWNER, owner=ALICE, game_id=GAME, standing=standing, rules=RUNNING) is seen


def test_of_others_a_contestant_sees_an_outline_outside_games_and_after_them() -> None:
    assert outside(OTHER, QuestionRules(reads=True)) is Sight.OUTLINE
    assert outside(OTHER, QuestionRules()) is Sight.NOTHING, "the question itself is hidden"
    assert outside(OWNER, QuestionRules()) is Sight.EVERYTHING
    assert in_game(OTHER, RUNNING) is Sight.NOTHING
    assert in_game(OTHER, SHOWN) is Sight.OUTLINE


def test_whoever_still_takes_part_on_their_own_clock_is_not_shown_to_others() -> None:
    rules = GameRules(shows_others=True, tells_verdicts=True, still_running=frozenset({ALICE}))
    assert in_game(OTHER, rules) is Sight.NOTHING
    assert in_game(OWNER, rules) is Sight.EVERYTHING


def test_a_game_that_tells_no_verdicts_hides_them_until_it_does() -> None:
    assert in_game(OWNER, SILENT) is Sight.UNDECIDED
    assert in_game(OWNER, SHOWN) is Sight.EVERYTHING


def test_the_staff_of_a_game_sees_all_of_it() -> None:
    assert in_game(OTHER, STAFF) is Sight.EVERYTHING
    candidate = sight_of(OTHER, owner=ALICE, game_id=GAME, standing=Standing.CANDIDATE, rules=STAFF)
    assert candidate is Sight.EVERYTHING


def test_who_manages_a_game_rejudges_in_it_and_the_staff_of_the_site_everywhere() -> None:
    assert may_rejudge(OTHER, GameRules(staff=True, manages=True))
    assert not may_rejudge(OTHER, STAFF), "a judge of the game sees and answers"
    for role in (Role.CONTESTANT, Role.SETTER):
        assert not may_rejudge(Actor(BOB, role), None)
    for role in (Role.JUDGE, Role.ADMIN):
        assert may_rejudge(Actor(BOB, role), None)
    assert not may_rejudge(None, None)


def test_while_nobody_knows_the_rules_only_the_owner_sees_something() -> None:
    assert in_game(OWNER, None) is Sight.UNDECIDED
    assert in_game(OTHER, None) is Sight.NOTHING


def test_a_selection_without_a_restriction_means_everything() -> None:
    assert Selection().is_everything
    assert not Selection(question_id=QUESTION).is_everything
