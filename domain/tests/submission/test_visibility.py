import pytest

from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Standing
from deepoj_domain.submission.visibility import Sight, sight_of
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION

OWNER = Actor(ALICE, Role.CONTESTANT)
OTHER = Actor(BOB, Role.CONTESTANT)


@pytest.mark.parametrize("game", [None, GAME])
@pytest.mark.parametrize("standing", Standing)
def test_a_guest_sees_nothing_and_staff_everything(game: object, standing: Standing) -> None:
    game_id = GAME if game else None
    assert sight_of(None, owner=ALICE, game_id=game_id, standing=standing) is Sight.NOTHING
    for role in (Role.SETTER, Role.JUDGE, Role.ADMIN):
        seen = sight_of(Actor(BOB, role), owner=ALICE, game_id=game_id, standing=standing)
        assert seen is Sight.EVERYTHING


def test_a_contestant_sees_their_own_but_never_a_candidate() -> None:
    for standing, seen in (
        (Standing.HEAD, Sight.EVERYTHING),
        (Standing.ARCHIVED, Sight.EVERYTHING),
        (Standing.CANDIDATE, Sight.NOTHING),
        (Standing.DISCARDED, Sight.NOTHING),
    ):
        assert sight_of(OWNER, owner=ALICE, game_id=GAME, standing=standing) is seen


def test_of_others_a_contestant_sees_an_outline_outside_games_only() -> None:
    assert sight_of(OTHER, owner=ALICE, game_id=None, standing=Standing.HEAD) is Sight.OUTLINE
    assert sight_of(OTHER, owner=ALICE, game_id=GAME, standing=Standing.HEAD) is Sight.NOTHING


def test_a_selection_without_a_restriction_means_everything() -> None:
    assert Selection().is_everything
    assert not Selection(question_id=QUESTION).is_everything
