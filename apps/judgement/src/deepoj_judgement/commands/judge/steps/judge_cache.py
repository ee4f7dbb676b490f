"""Same data, same toolchain, same code: the stored result, without entering the sandbox."""

import logging
from datetime import datetime

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import JudgementId
from deepoj_domain.kernel.outcome import Changed
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_judgement.commands.judge.ports import JudgeCache, Observer

_log = logging.getLogger(__name__)


async def recall(cache: JudgeCache, key: JudgementKey, observer: Observer) -> JudgeResult | None:
    try:
        found = await cache.find(key)
    except StoreFailedError as error:
        _log.warning("the judge cache did not answer; judging anew: %s", error)
        return None
    observer.cache(hit=found is not None)
    return found


async def remember(
    cache: JudgeCache,
    judgement_id: JudgementId,
    key: JudgementKey,
    result: JudgeResult,
    now: datetime,
    *,
    instead: bool,
) -> None:
    """`instead` of what is known; otherwise the first of two results stays."""
    outcome = Judgement.remember(judgement_id, key, result, now)
    if not isinstance(outcome, Changed):
        return
    try:
        await cache.store(outcome.after, instead=instead)
    except StoreFailedError as error:
        _log.warning("the judge cache did not take a result: %s", error)
