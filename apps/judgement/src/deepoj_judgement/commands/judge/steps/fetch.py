"""What is fetched before anything runs: what the pinned revision asks for, and the files of its cases."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.suite import Suite
from deepoj_judgement.commands.judge.errors import LanguageNotAllowedError
from deepoj_judgement.commands.judge.ports import Specs, TestData
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.commands.judge.spec import JudgeSpec


async def fetch_spec(specs: Specs, revision: RevisionRef, language: LanguageSlug) -> JudgeSpec:
    spec = await specs.get(revision)
    if not spec.allows(language):
        raise LanguageNotAllowedError(language)
    return spec


def fetch_data(data: TestData, suite: Suite) -> AbstractAsyncContextManager[Mapping[ContentHash, Blob]]:
    # A dictionary keeps the order of the cases and drops what two cases share.
    needed = dict.fromkeys(hash_ for case in suite.cases for hash_ in case.contents)
    return data.borrow(needed)
