"""Whoever is not touched by other rules keeps their score; a needless rescore costs only time."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_domain.game.format import FormatOptions
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.schedule import Interval, Schedule
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import score_participant
from deepoj_domain.game.scoring.testing import at, rejudged, sent
from deepoj_domain.game.scoring.touched import Touched, touched_by
from deepoj_domain.kernel.ids import AccountId, SubmissionId
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, a_game, a_participant, uuid

MINUTE: Final = timedelta(minutes=1)
GAME: Final = a_game()
VIRTUAL: Final = replace(a_participant(BOB), kind=ParticipantKind.VIRTUAL, virtual_start=NOW + 600 * MINUTE)


def scheduled(change: Callable[[Schedule], Schedule]) -> Game:
    return replace(GAME, plan=replace(GAME.plan, schedule=change(GAME.plan.schedule)))


def ignoring(*submissions: SubmissionId) -> Game:
    return replace(GAME, ignored=frozenset(submissions))


def test_the_same_rules_touch_nobody() -> None:
    assert touched_by(rules_of(GAME), rules_of(GAME)) == Touched()


@pytest.mark.parametrize(
    "after",
    [
        replace(GAME, plan=replace(GAME.plan, options=FormatOptions(penalty_minutes=10))),
        replace(GAME, plan=replace(GAME.plan, problems=())),
        scheduled(lambda schedule: replace(schedule, start=schedule.start + MINUTE)),
        scheduled(lambda schedule: schedule.without(Interval(NOW + MINUTE, NOW + 2 * MINUTE))),
    ],
    ids=["penalty", "problems", "start", "removed interval"],
)
def test_another_format_or_beginning_touches_everybody(after: Game) -> None:
    assert touched_by(rules_of(GAME), rules_of(after)) == Touched(everybody=True)


def test_a_moved_end_touches_who_submitted_from_the_earlier_end_on() -> None:
    shorter = scheduled(lambda schedule: replace(schedule, end=NOW + 270 * MINUTE))
    for before, after in ((GAME, shorter), (shorter, GAME)):
        touched = touched_by(rules_of(before), rules_of(after))
        assert touched == Touched(since_us=at(270))
        assert touched.includes(a_participant(), sent("AC@270"))
        assert not touched.includes(a_participant(), sent("AC@269:59.999"))


def test_a_freeze_that_comes_or_goes_touches_who_submitted_since() -> None:
    frozen = scheduled(lambda schedule: replace(schedule, freeze=NOW + 200 * MINUTE))
    never = scheduled(lambda schedule: replace(schedule, freeze=None))
    assert touched_by(rules_of(never), rules_of(frozen)).since_us == at(200)
    assert touched_by(rules_of(frozen), rules_of(never)).since_us == at(200)


def test_whoever_has_a_clock_of_their_own_is_touched_by_other_times_and_by_nothing_else() -> None:
    assert Touched(since_us=at(270)).includes(VIRTUAL, [])
    assert not Touched(submissions=frozenset({SubmissionId(uuid(1))})).includes(VIRTUAL, [])
    assert not Touched().includes(VIRTUAL, [])


def test_a_submission_that_is_ignored_or_counted_again_touches_its_sender_by_any_of_its_chain() -> None:
    first, other = sent("WA@10")[0], sent("WA@20", BOB)[0]
    again = rejudged(first, Verdict.ACCEPTED, 30)
    before, after = ignoring(other.origin_id), ignoring(first.origin_id)
    touched = touched_by(rules_of(before), rules_of(after))
    assert touched == Touched(submissions=frozenset({first.origin_id, other.origin_id}))
    assert touched.includes(a_participant(), [again])
    assert Touched(submissions=frozenset({again.submission_id})).includes(a_participant(), [again])
    assert not touched.includes(a_participant(), sent("WA@11"))


def test_a_result_that_becomes_official_touches_nobody() -> None:
    final = scheduled(lambda schedule: replace(schedule, finalized_at=NOW + 400 * MINUTE))
    assert touched_by(rules_of(GAME), rules_of(final)) == Touched()


MINUTES: Final = st.integers(1, 360)
TOKENS: Final = st.builds(
    lambda verdict, minute: f"{verdict}@{minute}", st.sampled_from(["AC", "WA", "?"]), MINUTES
)
LOGS: Final = st.lists(TOKENS, max_size=6).map(lambda words: sent(" ".join(words)))


@st.composite
def games(draw: st.DrawFn, facts: list[Fact]) -> Game:
    end = draw(st.integers(240, 360))
    freeze = draw(st.none() | st.integers(60, end - 1))
    gaps = draw(st.sampled_from([(), (Interval(NOW + 5 * MINUTE, NOW + 15 * MINUTE),)]))
    ignored = draw(st.sets(st.sampled_from([fact.origin_id for fact in facts]))) if facts else set()
    schedule = Schedule(
        start=NOW,
        end=NOW + end * MINUTE,
        freeze=None if freeze is None else NOW + freeze * MINUTE,
        removed=gaps,
    )
    return replace(GAME, plan=replace(GAME.plan, schedule=schedule), ignored=frozenset(ignored))


@given(data=st.data(), facts=LOGS, is_virtual=st.booleans())
@settings(max_examples=100, deadline=None)
def test_who_is_not_touched_has_the_same_score_under_both_rules(
    data: st.DataObject, facts: list[Fact], *, is_virtual: bool
) -> None:
    before, after = rules_of(data.draw(games(facts))), rules_of(data.draw(games(facts)))
    who: Participant = replace(VIRTUAL, account_id=AccountId(ALICE)) if is_virtual else a_participant()
    if not touched_by(before, after).includes(who, facts):
        assert score_participant(before, who, facts) == score_participant(after, who, facts)
