"""How game's messages and types meet: by the names of their fields, and here is where these differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from google.protobuf.message import Message

from deepoj_domain.game.clarification import Clarification, Note
from deepoj_domain.game.schedule import Interval, Schedule
from deepoj_domain.game.scoring.explain import CountedSubmission
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.game.work import Rebuilt, Stage, Work, WorkOutcome
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import (
    AccountId,
    ClarificationId,
    GameId,
    QuestionId,
    RejudgeId,
    SubmissionId,
    WorkId,
)
from deepoj_domain.kernel.paging import Page, PageRequest, Position, cursor_of, page_request
from deepoj_domain.kernel.role import Actor, acting
from deepoj_game.commands.enrol import Newcomer
from deepoj_game.commands.ports import Entrant
from deepoj_game.commands.update_participant import ParticipantEdit
from deepoj_game.inbound.grpc.boards import ENTRANT_NAMES, named, write_change, write_counted, write_row
from deepoj_game.queries.explain import Explanation
from deepoj_game.queries.views import EntrantView, GameView, RowView, RulingView, Shown
from deepoj_kit.grpc.mapping import Conversion, Mapper, Members, Pair
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2

M = TypeVar("M", bound=Message)
T = TypeVar("T")
_MOST_REASON: Final = 500
_MOST_SEARCH: Final = 200


def _note(id: ClarificationId, question_id: QuestionId | None, text: str) -> Note:  # noqa: A002 — the attribute
    return Note(id=id, question_id=question_id, text=storable(text))


def _write_clarification(note: Clarification) -> game_pb2.Clarification:
    answer = note.answer
    return MAPPER.build(
        game_pb2.Clarification,
        {
            "id": note.id,
            "asked_by": note.asked_by,
            "question_id": note.question_id,
            "text": note.text,
            "asked_at": note.asked_at,
            "answer": None if answer is None else answer.text,
            "answered_by": None if answer is None else answer.by,
            "answered_at": None if answer is None else answer.at,
            "public": note.public,
        },
    )


def _write_work(work: Work) -> game_pb2.Work:
    written = _work(work)
    written.state = _STATE_OF[work.outcome or work.stage]
    return written


def _write_rebuilt(rebuilt: Rebuilt) -> game_pb2.RecomputeDone:
    who = named(rebuilt.names)
    return game_pb2.RecomputeDone(
        submissions=rebuilt.submissions,
        changes=[write_change(each, rebuilt.labels, who) for each in rebuilt.changes],
        rows_changed=rebuilt.rows_changed,
        submissions_corrected=rebuilt.corrected,
    )


_REBUILT: Final = Conversion(game_pb2.RecomputeDone, Rebuilt, write=_write_rebuilt)
_STATE_OF: Final = {
    each: game_pb2.WorkState.Value(f"WORK_STATE_{each.name}") for each in (*Stage, *WorkOutcome)
}
_work: Final = Mapper(
    Pair(game_pb2.Work, Work, unmapped=("game_id", "stage", "outcome", "submissions", "state")), _REBUILT
).writer(Work, game_pb2.Work)

MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    Pair(game_pb2.Interval, Interval, names={"since": "from", "until": "before"}),
    Pair(
        game_pb2.Schedule,
        Schedule,
        names={"start": "starts_at", "end": "ends_at", "freeze": "freezes_at"},
        unmapped=("unfrozen_at", "finalized_at"),
    ),
    Pair(
        game_pb2.Entry,
        SignUpRules,
        names={"late_sign_up": "during_contest", "late_withdrawal": "cancel_during_contest"},
        unmapped=("invited",),
    ),
    Pair(
        game_pb2.Game,
        GameView,
        names={
            "game.id": "id",
            "game.owner": "owner_id",
            **{
                f"game.plan.{name}": name
                for name in ("title", "description", "format", "options", "schedule", "problems")
            },
            "game.plan.sign_up": "entry",
            "game.plan.sign_up.invited": "invited_ids",
            "game.plan.admins": "admin_ids",
            "game.plan.judges": "judge_ids",
            "game.plan.schedule.unfrozen_at": "unfrozen_at",
            "game.plan.schedule.finalized_at": "finalized_at",
        },
        unmapped=("viewer", "entrant"),
    ),
    Pair(game_pb2.Participant, EntrantView, names=ENTRANT_NAMES),
    Pair(game_pb2.Participant, Entrant, names=ENTRANT_NAMES),
    Pair(game_pb2.UpdateParticipantRequest, ParticipantEdit, unmapped=("actor", "game_id", "account_id")),
    *(
        Pair(message, Note, names={"id": "clarification_id"}, unmapped=("actor", "game_id"), made_by=_note)
        for message in (game_pb2.AskRequest, game_pb2.BroadcastRequest)
    ),
    Conversion(game_pb2.Clarification, Clarification, write=_write_clarification),
    Pair(game_pb2.ExplainRankResponse, Explanation, names={"gap": "gap", "gap.sentence": "summary"}),
    Conversion(game_pb2.BoardRow, RowView, write=write_row),
    Conversion(game_pb2.CountedSubmission, CountedSubmission, write=write_counted),
    Conversion(game_pb2.Work, Work, write=_write_work),
    _REBUILT,
    error=InvalidValueError,
)

actor: Final[Callable[[common_pb2.Actor], Actor | None]] = MAPPER.reader(common_pb2.Actor, Actor)
"""None is a guest."""
account_id: Final = MAPPER.id("account_id", AccountId)
game_id: Final = MAPPER.id("game_id", GameId)
question_id: Final = MAPPER.id("question_id", QuestionId)
submission_id: Final = MAPPER.id("submission_id", SubmissionId)
clarification_id: Final = MAPPER.id("clarification_id", ClarificationId)
work_id: Final = MAPPER.id("work_id", WorkId)
rejudge_id: Final = MAPPER.id("rejudge_id", RejudgeId)
interval: Final = MAPPER.reader(game_pb2.Interval, Interval)
edit: Final = MAPPER.reader(game_pb2.UpdateParticipantRequest, ParticipantEdit)
newcomers: Final = MAPPER.field(game_pb2.EnrolRequest, "newcomers", list[Newcomer])
question: Final = MAPPER.reader(game_pb2.AskRequest, Note)
broadcast: Final = MAPPER.reader(game_pb2.BroadcastRequest, Note)

game: Final = MAPPER.writer(GameView, game_pb2.Game)
entrant: Final = MAPPER.writer(Entrant, game_pb2.Participant)
clarification: Final = MAPPER.writer(Clarification, game_pb2.Clarification)
row: Final = MAPPER.writer(RowView, game_pb2.BoardRow)
explanation: Final = MAPPER.writer(Explanation, game_pb2.ExplainRankResponse)
change: Final = MAPPER.writer(Shown, game_pb2.WatchScoreboardResponse)
work: Final = MAPPER.writer(Work, game_pb2.Work)
rebuilt: Final = MAPPER.writer(Rebuilt, game_pb2.RecomputeDone)
ruling: Final = MAPPER.writer(RulingView, game_pb2.Ruling)
build: Final = MAPPER.build


def view_in(message: type[M]) -> Callable[[M], BoardView]:
    """Nobody has to say what everybody wants."""
    read = MAPPER.optional_field(message, "view", BoardView)
    return lambda request: read(request) or BoardView.PUBLIC


def listed_game(view: GameView) -> game_pb2.Game:
    found = game(view)
    found.ClearField("description")
    found.ClearField("problems")
    found.ClearField("invited_ids")
    return found


def page(message: common_pb2.PageRequest) -> PageRequest:
    return page_request(message.size, message.cursor)


def page_info(position: Position | None) -> common_pb2.PageInfo:
    return common_pb2.PageInfo(next_cursor=cursor_of(position))


def paged(message: type[M], name: str, found: Page[T]) -> M:
    return MAPPER.build(message, {name: found.items, "page": page_info(found.next)})


def reason(text: str) -> str:
    if len(text) > _MOST_REASON or "\0" in text:
        raise InvalidValueError("reason_malformed", f"a reason has at most {_MOST_REASON} characters")
    return text


def search(text: str) -> str:
    if len(text) > _MOST_SEARCH or "\0" in text:
        raise InvalidValueError("search_malformed", f"a search has at most {_MOST_SEARCH} characters")
    return text


def storable(text: str) -> str:
    if "\0" in text:
        raise InvalidValueError("text_malformed", "a text holds a character that cannot be stored")
    return text
