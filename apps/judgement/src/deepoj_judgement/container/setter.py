"""One package on this machine: the same judging, without a server, a queue or a memory."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from dependency_injector import containers, providers

from deepoj_judgement.commands.failing import SandboxFailedError
from deepoj_judgement.commands.judge import Judge
from deepoj_judgement.commands.setter.check_outputs import CheckOutputs
from deepoj_judgement.commands.setter.events import Event
from deepoj_judgement.commands.setter.failing import Reason, SetterFailedError
from deepoj_judgement.commands.setter.judge_solution import JudgeSolution
from deepoj_judgement.commands.setter.judge_solutions import JudgeSolutions
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.local import LocalSpecs, NoCache, NoLogs, RunCounter
from deepoj_judgement.commands.setter.validate_inputs import ValidateInputs
from deepoj_judgement.commands.setter.verify_package import VerifyPackage
from deepoj_judgement.container.sandbox import agent_process, agent_sandbox, make_directories
from deepoj_judgement.inbound.setter.arguments import JUDGE, Arguments, parse
from deepoj_judgement.inbound.setter.events import emit
from deepoj_judgement.inbound.setter.roles import SetterRoles, failure_of, languages_event
from deepoj_judgement.outbound.cache.programs import DiskPrograms
from deepoj_judgement.outbound.packages.files import LocalFiles
from deepoj_judgement.outbound.packages.solutions import find_program
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_judgement.outbound.toolchains.precompiled import precompile
from deepoj_judgement.settings import SetterSettings
from deepoj_kit.clock import system_clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.settings import SettingsError, load
from deepoj_languages.table import language_table
from deepoj_packages.options import ReadingOptions
from deepoj_packages.read_package import read_package
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import ProblemSpec

_CLEAN, _FAILURE, _BAD_SETTINGS = 0, 1, 2


class SetterContainer(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=SetterSettings)
    package = providers.Dependency(instance_of=ProblemSpec)
    emit: providers.Object[Callable[[Event], None]] = providers.Object(emit)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)
    toolchains = providers.Singleton(
        InstalledToolchains, providers.Callable(language_table), settings.provided.toolchains
    )
    agent = providers.Singleton(agent_process, settings)
    sandbox = providers.Singleton(agent_sandbox, settings)
    programs = providers.Singleton(DiskPrograms, settings.provided.program_directory)
    files = providers.Singleton(LocalFiles, package.provided.root, settings.provided.run_directory)
    specs = providers.Singleton(LocalSpecs)
    runs = providers.Singleton(RunCounter)
    choose = providers.Singleton(ChooseLanguage, toolchains)
    judge = providers.Singleton(
        Judge,
        specs=specs,
        data=files,
        programs=programs,
        cache=providers.Singleton(NoCache),
        toolchains=toolchains,
        sandbox=sandbox,
        logs=providers.Singleton(NoLogs),
        observer=runs,
        clock=clock,
        new_id=new_id,
    )
    judge_solution = providers.Singleton(JudgeSolution, judge, specs, files, runs, emit)
    roles = providers.Singleton(
        SetterRoles,
        files=files,
        choose=choose,
        judge_solutions=providers.Singleton(JudgeSolutions, judge_solution, emit),
        verify_package=providers.Singleton(
            VerifyPackage,
            validate_inputs=providers.Singleton(ValidateInputs, sandbox, files, choose, emit),
            check_outputs=providers.Singleton(
                CheckOutputs, sandbox, toolchains, files, programs, files, emit
            ),
            judge=judge_solution,
            choose=choose,
            emit=emit,
        ),
        find_program=providers.Object(find_program),
        emit=emit,
    )


def main(argv: Sequence[str]) -> int:
    """Judge on this machine and end. The settings file of the services is not read: it is not for setters."""
    told = parse(argv)
    environ = {name: value for name, value in os.environ.items() if name != "DEEPOJ_CONFIG"}
    try:
        asyncio.run(_judge_locally(told, load(SetterSettings, scope="judgement", environ=environ)))
    except SettingsError as error:
        sys.stderr.write(f"judgement: {error}\n")
        return _BAD_SETTINGS
    except (PackageRefusedError, SetterFailedError) as error:
        emit(failure_of(error))
        return _FAILURE
    except BrokenPipeError:
        # Whoever read the events has left.
        return _FAILURE
    return _CLEAN


async def _judge_locally(told: Arguments, settings: SetterSettings) -> None:
    if told.package is None:
        container = SetterContainer(settings=settings)
        await container.toolchains().detect()
        emit(languages_event(container.toolchains(), container.toolchains().installed()))
        return
    _own_directories(settings)
    try:
        options = ReadingOptions(dialect=told.dialect)
        package = read_package(told.package, settings.run_directory / "package", options)
        container = SetterContainer(settings=settings, package=package)
        await container.toolchains().detect()
        async with own_sandbox(container, settings):
            roles = container.roles()
            await (roles.judge if told.role == JUDGE else roles.verify)(package, told)
    finally:
        shutil.rmtree(settings.run_directory, ignore_errors=True)


def _own_directories(settings: SetterSettings) -> None:
    try:
        make_directories(settings)
    except OSError as error:
        raise SetterFailedError(
            Reason.DIRECTORY,
            f"{error.filename or settings.directory} cannot be used: {error.strerror}; remove it, or set "
            "DEEPOJ_JUDGEMENT_HOME to a directory of your own",
        ) from error


@asynccontextmanager
async def own_sandbox(container: SetterContainer, settings: SetterSettings) -> AsyncIterator[None]:
    agent, stop = container.agent(), asyncio.Event()
    await agent.start()
    supervising = asyncio.create_task(agent.run(stop))
    headers = settings.directory / "precompiled"
    toolchains = container.toolchains().installed() if settings.precompile else ()
    making = asyncio.create_task(precompile(toolchains, headers))
    try:
        await container.sandbox().status()
        yield
    except SandboxFailedError as error:
        raise SetterFailedError(
            Reason.SANDBOX, f"the sandbox does not work: {error.detail}; deepoj doctor says what it needs"
        ) from error
    finally:
        making.cancel()
        await asyncio.wait({making})
        stop.set()
        await supervising
