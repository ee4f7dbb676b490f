"""Rejudges and dead letters as the queries see them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import BigInteger, cast, func, select

from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import GameId, RejudgeId, SubmissionId
from deepoj_domain.kernel.paging import Page, PageRequest, at_id, at_moment, id_at, moment_at, paged
from deepoj_domain.kernel.score import Score
from deepoj_domain.submission.selection import Selection
from deepoj_kit.postgres import Database, compiled
from deepoj_record.outbound.postgres.submission_reader import rejudgeable
from deepoj_record.outbound.postgres.tables import SUBMISSIONS, Row, made_of, read
from deepoj_record.queries.ports import (
    DeadLetter,
    DeadLetterGroup,
    EffectView,
    GameCount,
    Progress,
    RejudgeSize,
    RejudgeView,
    RevisionCount,
    VerdictChange,
)

# The same as the commands decide, for what is still to be decided.
_FATE: Final = """CASE
    WHEN new.standing IN ('head', 'archived') THEN 'applied'
    WHEN new.standing = 'discarded' OR new.status IN ('DEAD', 'CANCELLED') OR old.standing <> 'head'
        OR r.status = 'discarding' THEN 'dropped'
    ELSE 'open' END"""
_PROGRESS: Final = f"""
SELECT r.status, r.selected, r.selection, count(new.id) AS submissions, count(new.verdict) AS judged,
       count(*) FILTER (WHERE new.status IN ('DEAD', 'CANCELLED')) AS failed,
       count(*) FILTER (WHERE new.verdict IS NOT NULL AND fate <> 'dropped'
                        AND (new.verdict, new.score_micros) IS DISTINCT FROM (old.verdict, old.score_micros))
           AS changed,
       count(*) FILTER (WHERE new.id IS NOT NULL AND fate = 'applied') AS applied,
       count(*) FILTER (WHERE new.id IS NOT NULL AND fate = 'dropped') AS dropped
FROM record.rejudges r
LEFT JOIN record.submissions new ON new.rejudge_id = r.id
LEFT JOIN record.submissions old ON old.id = new.rejudge_of
CROSS JOIN LATERAL (SELECT {_FATE} AS fate) AS fates
WHERE r.id = %s GROUP BY r.id
"""  # noqa: S608 — composed of constants
_MATRIX: Final = f"""
SELECT old.verdict AS old_verdict, new.verdict AS new_verdict, count(*) AS submissions
FROM record.rejudges r
JOIN record.submissions new ON new.rejudge_id = r.id
JOIN record.submissions old ON old.id = new.rejudge_of
WHERE r.id = %s AND new.verdict IS NOT NULL AND {_FATE} <> 'dropped'
GROUP BY old.verdict, new.verdict ORDER BY submissions DESC, old.verdict, new.verdict
"""  # noqa: S608 — composed of constants
_GAMES: Final = """
SELECT game_id, count(*) AS submissions FROM record.submissions
WHERE rejudge_id = %s AND game_id IS NOT NULL
GROUP BY game_id ORDER BY submissions DESC, game_id LIMIT 100
"""
_EFFECTS: Final = f"""
SELECT old.id AS old_id, new.id AS new_id, new.submitted_at, {_FATE} AS fate,
       (new.result->'groups')::text AS groups, old.verdict AS old_verdict, old.score_micros AS old_micros,
       new.verdict AS new_verdict, new.score_micros AS new_micros
FROM record.submissions new
JOIN record.submissions old ON old.id = new.rejudge_of
JOIN record.rejudges r ON r.id = new.rejudge_id
WHERE new.rejudge_id = %s AND new.id > %s ORDER BY new.id LIMIT %s
"""  # noqa: S608 — composed of constants
_REJUDGES: Final = """
SELECT r.id, r.status, r.started_by, r.started_at, r.reason,
       (SELECT count(*) FROM record.submissions s WHERE s.rejudge_id = r.id) AS submissions
FROM record.rejudges r
WHERE (r.started_at, r.id) < (%(moment)s, %(id)s)
    AND (%(game)s::text IS NULL OR r.selection->>'game_id' = %(game)s::text)
ORDER BY r.started_at DESC, r.id DESC LIMIT %(size)s
"""
# Of the same error, whatever ids and numbers it names.
_GROUP: Final = """md5(death_cause || ' ' || regexp_replace(
    coalesce(last_error, ''), '[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+', '#', 'g'))"""
_DEAD_LETTERS: Final = f"""
SELECT s.id AS submission_id, s.death_cause AS cause, s.last_error, s.attempt_id AS attempts,
       s.finished_at AS died_at, again.id AS replayed_as, again.status AS replayed_status,
       CASE WHEN s.rejudge_id IS NULL THEN s.rejudge_of END AS replay_of, s.game_id, s.account_id,
       s.question_id, s.language
FROM record.submissions s LEFT JOIN LATERAL (
    SELECT new.id, new.status FROM record.submissions new
    WHERE new.rejudge_of = s.id AND new.rejudge_id IS NULL ORDER BY new.id DESC LIMIT 1
) again ON true
WHERE s.status = 'DEAD' AND (s.finished_at, s.id) < (%(moment)s, %(id)s)
    AND (%(group)s = '' OR s.standing = 'head' AND {_GROUP} = %(group)s)
ORDER BY s.finished_at DESC, s.id DESC LIMIT %(size)s
"""  # noqa: S608 — composed of constants
_DEAD_GROUPS: Final = f"""
SELECT {_GROUP} AS "group", min(death_cause) AS cause,
       coalesce((array_agg(last_error ORDER BY finished_at DESC))[1], '') AS last_error,
       count(*) AS submissions, min(finished_at) AS first_died_at, max(finished_at) AS last_died_at,
       array_agg(DISTINCT language ORDER BY language) AS languages
FROM record.submissions WHERE status = 'DEAD' AND standing = 'head'
GROUP BY 1 ORDER BY submissions DESC, 1 LIMIT 100
"""  # noqa: S608 — composed of constants
_DEAD_OF_GROUP: Final = f"""
SELECT id FROM record.submissions
WHERE status = 'DEAD' AND standing = 'head' AND {_GROUP} = %s ORDER BY finished_at, id LIMIT %s
"""  # noqa: S608 — composed of constants
_MOST_REVISIONS: Final = 100
_S = SUBMISSIONS.c
_GROUPS = msgspec.json.Decoder(tuple[GroupScore, ...])
_LAST: Final = UUID(int=2**128 - 1)


class PostgresRejudgeReader:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, rejudge_id: RejudgeId) -> Progress | None:
        rows = await read(self._database, _PROGRESS, (rejudge_id,))
        return made_of(rows[0], Progress) if rows else None

    async def matrix(self, rejudge_id: RejudgeId) -> Sequence[VerdictChange]:
        return [made_of(row, VerdictChange) for row in await read(self._database, _MATRIX, (rejudge_id,))]

    async def games(self, rejudge_id: RejudgeId) -> Sequence[GameCount]:
        return [made_of(row, GameCount) for row in await read(self._database, _GAMES, (rejudge_id,))]

    async def size_of(self, selection: Selection) -> RejudgeSize:
        number = func.count().label("submissions")
        total = cast(func.sum(func.count()).over(), BigInteger).label("total")
        statement = (
            select(_S.question_id, _S.question_revision.label("revision"), number, total)
            .where(*rejudgeable(selection))
            .group_by(_S.question_id, _S.question_revision)
            .order_by(number.desc(), _S.question_id, _S.question_revision)
            .limit(_MOST_REVISIONS)
        )
        rows = await read(self._database, *compiled(statement))
        return RejudgeSize(rows[0]["total"] if rows else 0, [made_of(row, RevisionCount) for row in rows])

    async def dead_letter_groups(self) -> Sequence[DeadLetterGroup]:
        return [made_of(row, DeadLetterGroup) for row in await read(self._database, _DEAD_GROUPS)]

    async def dead_of_group(self, group: str, most: int) -> Sequence[SubmissionId]:
        rows = await read(self._database, _DEAD_OF_GROUP, (group, most))
        return [SubmissionId(row["id"]) for row in rows]

    async def effects(self, rejudge_id: RejudgeId, page: PageRequest) -> Page[EffectView]:
        after = id_at(page.after) if page.after else UUID(int=0)
        rows = await read(self._database, _EFFECTS, (rejudge_id, after, page.size + 1))
        found = [_effect(row) for row in rows]
        return paged(found, page, lambda last: at_id(last.new_id))

    async def list(self, game_id: GameId | None, page: PageRequest) -> Page[RejudgeView]:
        moment, last = _before(page)
        game = None if game_id is None else str(game_id)
        values = {"moment": moment, "id": last, "game": game, "size": page.size + 1}
        rows = await read(self._database, _REJUDGES, values)
        found = [made_of(row, RejudgeView) for row in rows]
        return paged(found, page, lambda last: at_moment(last.started_at, last.id))

    async def dead_letters(self, group: str, page: PageRequest) -> Page[DeadLetter]:
        moment, last = _before(page)
        values = {"moment": moment, "id": last, "group": group, "size": page.size + 1}
        rows = await read(self._database, _DEAD_LETTERS, values)
        found = [made_of(row, DeadLetter) for row in rows]
        return paged(found, page, lambda last: at_moment(last.died_at, last.submission_id))


def _before(page: PageRequest) -> tuple[datetime | str, UUID]:
    return ("infinity", _LAST) if page.after is None else moment_at(page.after)


def _effect(row: Row) -> EffectView:
    computed = {
        "old_score": _score(row["old_micros"]),
        "new_score": _score(row["new_micros"]),
        "groups": () if row["groups"] is None else _GROUPS.decode(row["groups"]),
    }
    return made_of({**row, **computed}, EffectView)


def _score(micros: int | None) -> Score | None:
    return None if micros is None else Score(micros)
