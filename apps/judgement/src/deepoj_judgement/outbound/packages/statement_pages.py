"""The renderer of the question service, asked what a reader would miss."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_judgement.commands.setter.check_statements import StatementPage
from deepoj_packages.spec import ProblemSpec, StatementFormat
from deepoj_packages.statements.assets import assets_of, is_image
from deepoj_packages.statements.job import Job
from deepoj_packages.statements.process_renderer import ProcessRenderer

_RENDERED = {StatementFormat.MARKDOWN: "markdown", StatementFormat.TEX: "tex"}


class RenderedStatements:
    def __init__(self, renderer: ProcessRenderer) -> None:
        self._renderer = renderer

    async def __call__(self, package: ProblemSpec) -> Sequence[StatementPage]:
        assets = {name: is_image(file) for name, file in assets_of(package).items()}
        statements = [each for each in package.statements if each.format in _RENDERED]
        jobs = []
        for each in statements:
            text = package.path(each.file).read_text(encoding="utf-8", errors="replace")
            jobs.append(Job(_RENDERED[each.format], text, assets))
        return [
            StatementPage(statement, made.is_source, tuple(made.lost), tuple(made.formulas))
            for statement, made in zip(statements, await self._renderer(jobs), strict=True)
        ]
