"""From a revision to the description of a package, and which file lies where in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.question.checker import ProgramChecker
from deepoj_domain.question.listing import Listing
from deepoj_domain.question.presentation import Asset, Presentation, Statement, StatementFormat
from deepoj_domain.question.revision import Judging, RevisionContent
from deepoj_domain.question.suite import StopPolicy
from deepoj_packages.refusal import unsupported
from deepoj_packages.spec import (
    FormatVersion,
    Metadata,
    ProblemLimits,
    ProblemSpec,
)
from deepoj_packages.spec import Statement as PackageStatement
from deepoj_packages.spec import StatementFormat as PackageFormat
from deepoj_question.outbound.packages.description_of_tests import (
    STATIC_VALIDATOR,
    VALIDATOR,
    cases_of,
    check_expressible,
    file_names_of,
    groups_of,
    included_of,
    included_path,
    is_pass_fail,
    object_path,
    static_cases_of,
    static_validator_of,
    validator_of,
)

_STATEMENT: Final = PurePosixPath("statement")
_FORMATS: Final = {
    StatementFormat.MARKDOWN: PackageFormat.MARKDOWN,
    StatementFormat.TEX: PackageFormat.TEX,
}
_ATTACHMENTS: Final = "attachments/"
_KIB: Final = 1024
_MIB: Final = _KIB * _KIB


@dataclass(frozen=True, slots=True)
class Described:
    spec: ProblemSpec
    texts: dict[PurePosixPath, str]
    objects: dict[PurePosixPath, ContentHash]


def describe(root: Path, listing: Listing, content: RevisionContent) -> Described:
    """Raise PackageRefusedError for what no package can say, whatever its format."""
    presentation, judging = content.presentation, content.judging
    check_expressible(judging)
    texts = {_statement_path(each): each.markdown for each in presentation.statements if _has_text(each)}
    spec = ProblemSpec(
        root=root,
        short_name=listing.slug,
        format=FormatVersion.V2025_09,
        names=tuple(sorted((each.locale, each.title) for each in presentation.statements)),
        scoring=not is_pass_fail(judging),
        metadata=Metadata(keywords=tuple(sorted(listing.tags))),
        limits=_limits(judging),
        languages=None if judging.languages is None else tuple(sorted(judging.languages)),
        statements=tuple(_statements(presentation)),
        images=_assets(presentation, attached=False),
        attachments=_assets(presentation, attached=True),
        groups=groups_of(judging.suite),
        cases=cases_of(judging),
        runs_all=judging.suite.stop is StopPolicy.RUN_ALL,
        static_cases=static_cases_of(judging),
        static_validator=static_validator_of(judging),
        validator=validator_of(judging.checker),
        file_names=file_names_of(judging.form),
        included=included_of(judging.form),
        answers_submitted=judging.form.answers,
    )
    return Described(spec, texts, _objects(content))


def _objects(content: RevisionContent) -> dict[PurePosixPath, ContentHash]:
    judging, cases = content.judging, content.judging.suite.cases
    found = {object_path(each): each for case in cases for each in case.contents}
    found |= {_asset_path(asset): asset.content for asset in content.presentation.assets}
    for place, checker in ((VALIDATOR, judging.checker), (STATIC_VALIDATOR, judging.source_checker)):
        if isinstance(checker, ProgramChecker):
            found |= {place / source.name: source.content for source in checker.sources}
    included = (file for each in judging.form.included for file in each.files)
    found |= {included_path(file.content): file.content for file in included}
    return found


def _statements(presentation: Presentation) -> Iterator[PackageStatement]:
    for each in presentation.statements:
        if _has_text(each):
            yield PackageStatement(each.locale, _FORMATS[each.format], _statement_path(each))
        if each.pdf:
            yield PackageStatement(each.locale, PackageFormat.PDF, _STATEMENT / each.pdf)


def _has_text(statement: Statement) -> bool:
    return bool(statement.markdown) or not statement.pdf


def _statement_path(statement: Statement) -> PurePosixPath:
    return _STATEMENT / f"problem.{statement.locale}.{_FORMATS[statement.format]}"


def _asset_path(asset: Asset) -> PurePosixPath:
    attached = asset.name.startswith(_ATTACHMENTS)
    return PurePosixPath(asset.name) if attached else _STATEMENT / asset.name


def _assets(presentation: Presentation, *, attached: bool) -> tuple[PurePosixPath, ...]:
    printed = {each.pdf for each in presentation.statements}
    return tuple(
        _asset_path(asset)
        for asset in presentation.assets
        if asset.name.startswith(_ATTACHMENTS) is attached and asset.name not in printed
    )


def _limits(judging: Judging) -> ProblemLimits:
    allowance = judging.allowance
    if allowance.per_language:
        raise unsupported("a package cannot say that a language has limits of its own")
    checkers = (judging.checker, judging.source_checker)
    of_checkers = {checker.limits for checker in checkers if isinstance(checker, ProgramChecker)}
    if len(of_checkers) > 1:
        raise unsupported("a package cannot say that its two validators have limits of their own each")
    of_checker = next(iter(of_checkers), None)
    return ProblemLimits(
        time_ms=allowance.time_ms,
        memory_mib=allowance.memory_bytes // _MIB,
        output_mib=allowance.output_bytes // _MIB or None,
        code_kib=allowance.source_bytes // _KIB or None,
        validation_time_s=None if of_checker is None else -(-of_checker.cpu_ms // 1000),
        validation_memory_mib=None if of_checker is None else -(-of_checker.memory_kib // _KIB),
        validation_output_mib=None if of_checker is None else -(-of_checker.output_kib // _KIB),
    )
