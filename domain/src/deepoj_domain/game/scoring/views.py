"""Which rows each view shows."""

from collections.abc import Iterable

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.board import Board, board_of
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import Row, Tally
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId


def board_for(
    rules: Rules,
    tallies: Iterable[Tally],
    view: BoardView,
    *,
    is_frozen: bool,
    viewer: AccountId | None = None,
) -> Board:
    """`is_frozen` is what `visibility.shows_frozen` says of the view and the moment."""
    rows = (row_for(tally, view, is_frozen=is_frozen, viewer=viewer) for tally in tallies)
    labels = tuple(problem.label for problem in rules.problems)
    return board_of(labels, (row for row in rows if row is not None))


def row_for(tally: Tally, view: BoardView, *, is_frozen: bool, viewer: AccountId | None = None) -> Row | None:
    """None when this view does not show the participant."""
    if view is BoardView.ADMIN:
        return tally.full
    if view is BoardView.OWN and tally.full.account_id == viewer:
        return tally.full
    if tally.full.kind is ParticipantKind.HIDDEN:
        return None
    return tally.frozen if is_frozen else tally.full
