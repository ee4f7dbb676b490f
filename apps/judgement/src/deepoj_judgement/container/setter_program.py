"""The setter's program as a process: reads a package, starts a sandbox of its own, judges and ends."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from deepoj_judgement.commands.judge.errors import SandboxFailedError
from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_judgement.container.sandbox import make_directories
from deepoj_judgement.container.setter import SetterContainer
from deepoj_judgement.inbound.setter.arguments import JUDGE, Arguments, parse
from deepoj_judgement.inbound.setter.events import emit
from deepoj_judgement.inbound.setter.roles import failure_of, languages_event
from deepoj_judgement.outbound.toolchains.precompiled import precompile
from deepoj_judgement.settings import SetterSettings
from deepoj_kit.settings import SettingsError, load
from deepoj_packages.read_package import read_package
from deepoj_packages.refusal import PackageRefusedError

_CLEAN, _FAILURE, _BAD_SETTINGS = 0, 1, 2


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
        await _detect(container)
        emit(languages_event(container.toolchains(), container.toolchains().installed()))
        return
    if told.target is not None and told.target.exists():
        said = f"{told.target} is there already: name a directory that is not"
        raise SetterFailedError(Reason.TARGET, said)
    # Solutions that are judged for their own sake come one after the other.
    settings = msgspec.structs.replace(settings, cores=1 if told.role == JUDGE else told.threads)
    _own_directories(settings)
    try:
        package = read_package(told.package, settings.run_directory / "package", told.reading_options)
        container = SetterContainer(settings=settings, package=package)
        await _detect(container)
        async with own_sandbox(container, settings):
            await container.roles()(package, told)
    finally:
        shutil.rmtree(settings.run_directory, ignore_errors=True)


async def _detect(container: SetterContainer) -> None:
    if unknown := container.toolchains().unknown():
        raise SetterFailedError(Reason.UNKNOWN_LANGUAGE, unknown)
    await container.toolchains().detect()


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
