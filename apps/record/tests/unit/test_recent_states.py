"""What a process remembers of submissions on their way, and how much of it."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.states import Status
from deepoj_domain.testing import SUBMISSION, a_submission
from deepoj_record.commands.ports import Payload, Stored
from deepoj_record.outbound.postgres.recent_states import RecentStates


def other(number: int) -> Stored:
    key = SubmissionId(UUID(int=number))
    return Stored(replace(a_submission(), id=key, origin_id=key), 0)


def test_the_source_stays_with_every_later_state_until_the_last() -> None:
    memory, payload = RecentStates(), Payload("print()", "")
    memory.keep(Stored(a_submission(), 0), payload)
    memory.keep(Stored(a_submission(Status.RUNNING), 1))
    assert memory.recall([SUBMISSION])[SUBMISSION].version == 1
    assert memory.payloads([SUBMISSION]) == {SUBMISSION: payload}
    memory.keep(Stored(a_submission(Status.FINISHED), 2))
    assert memory.recall([SUBMISSION]) == {}
    assert memory.payloads([SUBMISSION]) == {}


def test_the_oldest_is_forgotten_when_there_are_too_many() -> None:
    memory = RecentStates(most=2)
    stored = [other(number) for number in (1, 2, 3)]
    for each in stored:
        memory.keep(each)
    ids = [each.submission.id for each in stored]
    assert list(memory.recall(ids)) == ids[1:]


def test_the_oldest_is_forgotten_when_sources_are_too_long() -> None:
    memory = RecentStates(most_characters=10)
    first, second = other(1), other(2)
    memory.keep(first, Payload("123456", ""))
    memory.keep(second, Payload("12345", ""))
    ids = [first.submission.id, second.submission.id]
    assert list(memory.payloads(ids)) == ids[1:]
    memory.keep(first, Payload("12345", ""))
    assert set(memory.payloads(ids)) == set(ids)
