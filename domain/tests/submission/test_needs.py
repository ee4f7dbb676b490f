"""What jobs need and hosts have, and where a job goes that meets the wrong host."""

from datetime import timedelta

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.events import QueueCause, SubmissionQueued
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.retry import Failure, RetryPolicy
from deepoj_domain.submission.route import Abilities, Needs
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal
from deepoj_domain.testing import NOW, OTHER_WORKER, WORKER, a_submission

TERMS, RETRY = LeaseTerms(), RetryPolicy()
CPP, RUST = LanguageSlug("cpp17"), LanguageSlug("rust")
ABLE = Abilities(languages=frozenset({CPP, RUST}), memory_mib=4096)
UNABLE = Abilities(languages=frozenset({RUST}), memory_mib=1024)


@pytest.mark.parametrize("text", ["", "cpp17", "cpp17,rust", "cpp17,rust@512", "@256"])
def test_needs_are_read_as_they_were_written(text: str) -> None:
    assert str(Needs.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["CPP", "cpp17@", "cpp17@0", "cpp17:x", "a b", "cpp17@12345678", ",", "x@1@2"]
)
def test_what_does_not_name_needs_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError):
        Needs.parse(text)


def test_memory_is_rounded_up_so_that_needs_have_few_names() -> None:
    assert [Needs.of(memory_kib=kib).memory_mib for kib in (0, 1, 256 * 1024, 256 * 1024 + 1)] == [
        0,
        256,
        256,
        512,
    ]


def test_what_a_host_lacks_is_told_in_words() -> None:
    needs = Needs.of(CPP, RUST, memory_kib=2048 * 1024)
    assert needs.words == "cpp17, rust, and 2048 MiB for a program"
    assert UNABLE.lacks(needs) == ("lacks cpp17", "has 1024 MiB for a program and not 2048")
    assert ABLE.meet(needs)
    assert Abilities(languages=frozenset({CPP, RUST})).meet(needs), "who does not say is believed to have it"


def test_a_job_that_meets_the_wrong_host_is_sent_on_once_and_keeps_its_attempts() -> None:
    first = claim(a_submission(), WORKER, TERMS, RETRY, NOW, UNABLE)
    sent = after(first)
    assert (sent.status, sent.attempt_id, sent.route.needs) == (Status.PENDING, 0, "cpp17")
    assert queued(first) == (QueueCause.UNABLE_HOST, "cpp17")
    again = claim(sent, WORKER, TERMS, RETRY, NOW, UNABLE)
    assert isinstance(again, Refused)
    assert again.reason is SubmissionRefusal.UNABLE_HOST
    assert after(claim(sent, OTHER_WORKER, TERMS, RETRY, NOW, ABLE)).attempt_id == 1


def test_a_worker_that_does_not_tell_what_it_has_is_granted_everything() -> None:
    sent = after(claim(a_submission(), WORKER, TERMS, RETRY, NOW, UNABLE))
    assert after(claim(sent, OTHER_WORKER, TERMS, RETRY, NOW)).status is Status.RUNNING


def test_a_lost_job_that_the_wrong_host_takes_over_is_sent_on() -> None:
    running = after(claim(a_submission(), WORKER, TERMS, RETRY, NOW, ABLE))
    late = NOW + timedelta(hours=1)
    outcome = reclaim(running, OTHER_WORKER, TERMS, RETRY, late, UNABLE)
    sent = after(outcome)
    assert (sent.status, [each.outcome for each in sent.attempts]) == (Status.PENDING, ["worker_lost"])
    assert queued(outcome) == (QueueCause.UNABLE_HOST, "cpp17")
    spent = RetryPolicy(max_attempts=1)
    assert after(reclaim(running, OTHER_WORKER, TERMS, spent, late, UNABLE)).status is Status.DEAD


def test_needs_that_only_the_worker_found_out_join_those_that_are_known() -> None:
    running = after(claim(a_submission(), WORKER, TERMS, RETRY, NOW, ABLE))
    sent = after(hand_back(running, Needs.of(CPP, RUST, memory_kib=8 * 1024**2)))
    assert (sent.route.needs, sent.handed_back, sent.message_due) == ("cpp17,rust@8192", 1, NOW)
    larger = Abilities(languages=ABLE.languages, memory_mib=8192)
    running = after(claim(sent, WORKER, TERMS, RETRY, NOW, larger))
    assert after(hand_back(running, Needs.of(CPP))).message_due > NOW, "it was there already, and rests"


def hand_back(running: Submission, needs: Needs) -> SubmissionOutcome:
    return report_failure(
        running,
        running.attempt_id,
        WORKER,
        Failure.NOT_ENOUGH_MEMORY,
        error="",
        retry=RETRY,
        now=NOW,
        needs=needs,
    )


def after(outcome: SubmissionOutcome) -> Submission:
    assert isinstance(outcome, Changed)
    return outcome.after


def queued(outcome: SubmissionOutcome) -> tuple[QueueCause, str]:
    assert isinstance(outcome, Changed)
    [event] = outcome.events
    assert isinstance(event, SubmissionQueued)
    return event.cause, event.needs
