"""The canary of every language, in the real sandbox: each ends in all the ways it should."""

from __future__ import annotations

import os
from uuid import uuid4

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.testing import NOW
from deepoj_judgement.commands.judge.errors import LanguageNotInstalledError
from deepoj_judgement.commands.judge.judge import Judge
from deepoj_judgement.commands.judge.sandbox_port import Sandbox
from deepoj_judgement.commands.judge.testing import MemoryData, MemoryPrograms, Notebook
from deepoj_judgement.commands.worker.canary.problem import CanaryProblem
from deepoj_judgement.commands.worker.canary.sing import SingCanary
from deepoj_judgement.commands.worker.slots import Slots
from deepoj_judgement.outbound.noop_stores import NoJudgeCache, NoLogs
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.sandbox.alone import AloneSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_languages.canaries import canary_of, canary_says
from deepoj_languages.table import language_table

from .conftest import CHOSEN

LEAST_MS = 20
# One of each kind: compiled, interpreted, with a runtime of its own.
QUICK = frozenset({"c11", "python3", "java17"})
TABLE = [str(language.slug) for language in language_table()]


def singer(sandbox: Sandbox, toolchains: InstalledToolchains) -> SingCanary:
    def judge(problem: CanaryProblem, *, alone: bool) -> Judge:
        return Judge(
            specs=problem,
            data=MemoryData(*problem.contents.values()),
            programs=MemoryPrograms(),
            cache=NoJudgeCache(),
            toolchains=toolchains,
            sandbox=AloneSandbox(sandbox) if alone else sandbox,
            logs=NoLogs(),
            observer=Notebook(),
            clock=lambda: NOW,
            new_id=uuid4,
        )

    return SingCanary(Slots(1), judge, uuid4)


@pytest.mark.parametrize("language", TABLE)
async def test_every_language_has_a_canary_that_is_judged_as_it_should(
    agent_sandbox: AgentSandbox, toolchains: InstalledToolchains, language: str
) -> None:
    if language not in QUICK and os.environ.get(CHOSEN) != "all":
        pytest.skip(f"takes seconds: {CHOSEN}=all")
    try:
        toolchain = toolchains.find(language_slug(language))
    except LanguageNotInstalledError as error:
        pytest.skip(str(error))
    reading = await singer(agent_sandbox, toolchains)(toolchain, alone=False)
    assert reading.wrong == ""
    assert reading.cpu_ms >= LEAST_MS, "or a slow host could not be told from a fast one"


def test_every_language_has_a_canary_and_every_canary_a_language() -> None:
    assert {slug for slug in TABLE if canary_of(language_slug(slug)) is not None} == set(TABLE)


@pytest.mark.parametrize("number", [1, 2, 1000])
def test_what_a_canary_says_is_what_its_loop_computes(number: int) -> None:
    found = 1
    for _ in range(number):
        found = found * 16807 % 2147483647
    assert canary_says(number) == found
