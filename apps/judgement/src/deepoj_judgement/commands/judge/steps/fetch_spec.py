"""What the pinned revision asks for, and whether it allows the language at all."""

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_judgement.commands.judge.errors import LanguageNotAllowedError
from deepoj_judgement.commands.judge.ports import Specs
from deepoj_judgement.commands.judge.spec import JudgeSpec


async def fetch_spec(specs: Specs, revision: RevisionRef, language: LanguageSlug) -> JudgeSpec:
    spec = await specs.get(revision)
    if not spec.allows(language):
        raise LanguageNotAllowedError(language)
    return spec
