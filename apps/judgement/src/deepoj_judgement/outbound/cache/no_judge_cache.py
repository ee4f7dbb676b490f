"""A judge cache that knows nothing: everything is judged."""

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.judgement.result import JudgeResult


class NoJudgeCache:
    async def find(self, key: JudgementKey) -> JudgeResult | None:
        del key
        return None

    async def store(self, judgement: Judgement, *, instead: bool = False) -> None:
        del judgement, instead
