"""A revision names files by their content; one that is missing is found now and not while judging."""

from __future__ import annotations

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.question.limits import MOST_DATA_BYTES
from deepoj_domain.question.presentation import Asset
from deepoj_domain.question.revision import RevisionContent
from deepoj_question.commands.ports import CommandRefusal, Objects


def objects_of(content: RevisionContent) -> frozenset[ContentHash]:
    judging = content.judging
    data = {each for case in judging.suite.cases for each in case.contents}
    assets = {asset.content for asset in content.presentation.assets}
    sources = {each.content for program in judging.programs for each in program.sources}
    included = {each.content for some in judging.form.included for each in some.files}
    extras = {each.content for each in content.extras}
    return frozenset(data | assets | sources | included | extras)


async def missing_object(
    objects: Objects, content: RevisionContent, before: RevisionContent | None = None
) -> Refused[CommandRefusal] | None:
    """What an earlier revision names is there: nothing is ever deleted that a revision names."""
    assets = content.presentation.assets
    known = objects_of(before) if before else frozenset()
    new = objects_of(content) - known
    new_assets = [asset for asset in assets if before is None or asset not in before.presentation.assets]
    together = {case.files for case in before.judging.suite.cases} if before else set()
    filed = [case for case in content.judging.suite.cases if case.files and case.files not in together]
    of_cases = {file.content for case in filed for file in case.files}
    sizes = dict(await objects.sizes(new | of_cases | {asset.content for asset in new_assets}))
    for each in sorted(new):
        if each not in sizes:
            return Refused(CommandRefusal.OBJECT_MISSING, each)
    for case in filed:
        if sum(sizes.get(file.content, 0) for file in case.files) > MOST_DATA_BYTES:
            return Refused(CommandRefusal.CASE_FILES_TOO_LARGE, case.name)
    return _wrong_size(new_assets, sizes)


def _wrong_size(assets: list[Asset], sizes: dict[ContentHash, int]) -> Refused[CommandRefusal] | None:
    for asset in assets:
        if sizes.get(asset.content) != asset.size:
            return Refused(CommandRefusal.OBJECT_SIZE_WRONG, asset.name)
    return None
