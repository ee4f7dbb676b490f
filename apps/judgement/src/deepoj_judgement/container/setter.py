"""One package on this machine: the same judging, without a server, a queue or a memory."""

from __future__ import annotations

import time
from collections.abc import Callable

from dependency_injector import containers, providers

from deepoj_judgement.commands.judge.judge import Judge
from deepoj_judgement.commands.setter.check_outputs import CheckOutputs
from deepoj_judgement.commands.setter.check_statements import CheckStatements
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.events import Event
from deepoj_judgement.commands.setter.judge_solution import JudgeSolution
from deepoj_judgement.commands.setter.judge_solutions import JudgeSolutions
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.make_tests import MakeTests
from deepoj_judgement.commands.setter.open_package import OpenPackage
from deepoj_judgement.commands.setter.problem_variants import ProblemVariants
from deepoj_judgement.commands.setter.run_validator import RunValidator
from deepoj_judgement.commands.setter.tally import Tally
from deepoj_judgement.commands.setter.try_mutants import TryMutants
from deepoj_judgement.commands.setter.try_submissions import TrySubmissions
from deepoj_judgement.commands.setter.validate_data import ValidateData
from deepoj_judgement.commands.setter.verify_package import VerifyPackage
from deepoj_judgement.container.sandbox import agent_process, agent_sandbox
from deepoj_judgement.inbound.setter.events import emit
from deepoj_judgement.inbound.setter.roles import SetterRoles
from deepoj_judgement.outbound.cache.programs import DiskPrograms
from deepoj_judgement.outbound.noop_stores import NoJudgeCache, NoLogs
from deepoj_judgement.outbound.packages.completed import write_completed
from deepoj_judgement.outbound.packages.files import LocalFiles
from deepoj_judgement.outbound.packages.solutions import find_program
from deepoj_judgement.outbound.packages.statement_pages import RenderedStatements
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_judgement.settings import SetterSettings
from deepoj_kit.clock import system_clock
from deepoj_kit.ids import Uuid7
from deepoj_languages.table import language_table
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.statements.process_renderer import ProcessRenderer


class SetterContainer(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=SetterSettings)
    package = providers.Dependency(instance_of=ProblemSpec)
    emit: providers.Object[Callable[[Event], None]] = providers.Object(emit)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)
    toolchains = providers.Singleton(
        InstalledToolchains,
        providers.Callable(language_table),
        settings.provided.toolchains,
        settings.provided.languages,
    )
    agent = providers.Singleton(agent_process, settings)
    sandbox = providers.Singleton(agent_sandbox, settings)
    programs = providers.Singleton(DiskPrograms, settings.provided.program_directory)
    files = providers.Singleton(LocalFiles, package.provided.root, settings.provided.run_directory)
    specs = providers.Singleton(ProblemVariants)
    tally = providers.Singleton(Tally)
    crew = providers.Singleton(Crew, settings.provided.capacity)
    seconds = providers.Object(time.monotonic)
    choose = providers.Singleton(ChooseLanguage, toolchains)
    judge = providers.Singleton(
        Judge,
        specs=specs,
        data=files,
        programs=programs,
        cache=providers.Singleton(NoJudgeCache),
        toolchains=toolchains,
        sandbox=sandbox,
        logs=providers.Singleton(NoLogs),
        observer=tally,
        clock=clock,
        new_id=new_id,
    )
    judge_solution = providers.Singleton(JudgeSolution, judge, specs, files, emit)
    open_package = providers.Singleton(OpenPackage, files, choose, emit)
    run_validator = providers.Singleton(RunValidator, sandbox, programs, files)
    verify_package = providers.Singleton(
        VerifyPackage,
        open=open_package,
        validate_data=providers.Singleton(ValidateData, run_validator, files, choose, crew, emit),
        check_outputs=providers.Singleton(
            CheckOutputs, sandbox, toolchains, files, programs, files, crew, emit
        ),
        check_statements=providers.Singleton(
            CheckStatements,
            providers.Singleton(RenderedStatements, providers.Singleton(ProcessRenderer)),
            emit,
        ),
        try_submissions=providers.Singleton(TrySubmissions, judge_solution, choose, crew, emit),
        try_mutants=providers.Singleton(TryMutants, judge_solution, files, crew, emit),
        files=files,
        tally=tally,
        seconds=seconds,
        emit=emit,
    )
    roles = providers.Singleton(
        SetterRoles,
        open=open_package,
        choose=choose,
        judge_solutions=providers.Singleton(JudgeSolutions, judge_solution, emit),
        verify_package=verify_package,
        make_tests=providers.Singleton(MakeTests, sandbox, files, files, programs, choose, crew, emit),
        write_completed=providers.Object(write_completed),
        export=providers.Object(export_directory),
        find_program=providers.Object(find_program),
        emit=emit,
    )
