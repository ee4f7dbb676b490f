"""What a rejudge would do to the board if it were applied."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """The outcome of a rejudge candidate. No verdict: it is still being judged."""

    submission_id: SubmissionId
    verdict: Verdict | None
    score: Score = ZERO
    groups: tuple[GroupScore, ...] = ()


def supposing(facts: Iterable[Fact], outcomes: Mapping[SubmissionId, Hypothesis], at_us: int) -> list[Fact]:
    """The log with those outcomes added as if they were applied at `at_us`. Keys are origin ids.

    Score the result as any log and `diff` the two boards. A candidate without a verdict changes nothing.
    """
    added: dict[SubmissionId, Fact] = {}
    log = list(facts)
    for fact in log:
        supposed = outcomes.get(fact.origin_id)
        if supposed is None or supposed.verdict is None or fact.origin_id in added:
            continue
        added[fact.origin_id] = replace(
            fact,
            submission_id=supposed.submission_id,
            known_us=max(at_us, fact.submitted_us),
            verdict=supposed.verdict,
            score=supposed.score,
            groups=supposed.groups,
            cancelled=False,
        )
    return [*log, *added.values()]
