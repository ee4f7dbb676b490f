"""A revision names files by their content; one that is missing is found now and not while judging."""

from __future__ import annotations

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.question.checker import ProgramChecker
from deepoj_domain.question.presentation import Asset
from deepoj_domain.question.revision import RevisionContent
from deepoj_question.commands.ports import CommandRefusal, Objects


def objects_of(content: RevisionContent) -> frozenset[ContentHash]:
    judging = content.judging
    data = {each for case in judging.suite.cases for each in (case.input, case.answer)}
    assets = {asset.content for asset in content.presentation.assets}
    checker = judging.checker
    sources = {each.content for each in checker.sources} if isinstance(checker, ProgramChecker) else set()
    extras = {each.content for each in content.extras}
    return frozenset(data | assets | sources | extras)


async def missing_object(
    objects: Objects, content: RevisionContent, before: RevisionContent | None = None
) -> Refused[CommandRefusal] | None:
    """What an earlier revision names is there: nothing is ever deleted that a revision names."""
    assets = content.presentation.assets
    known = objects_of(before) if before else frozenset()
    new = objects_of(content) - known
    new_assets = [asset for asset in assets if before is None or asset not in before.presentation.assets]
    sizes = await objects.sizes(new | {asset.content for asset in new_assets})
    for each in sorted(new):
        if each not in sizes:
            return Refused(CommandRefusal.OBJECT_MISSING, each)
    return _wrong_size(new_assets, dict(sizes))


def _wrong_size(assets: list[Asset], sizes: dict[ContentHash, int]) -> Refused[CommandRefusal] | None:
    for asset in assets:
        if sizes.get(asset.content) != asset.size:
            return Refused(CommandRefusal.OBJECT_SIZE_WRONG, asset.name)
    return None
