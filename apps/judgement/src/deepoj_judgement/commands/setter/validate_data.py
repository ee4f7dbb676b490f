"""Run validators on every input and on every answer, and on what they should refuse."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from deepoj_domain.kernel.digest import hash_of
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.errors import SetterFailedError
from deepoj_judgement.commands.setter.events import Finding, Severity, Working
from deepoj_judgement.commands.setter.junk import ANYWHERE, misshapen
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.run_validator import RunValidator, Subject, Wanted
from deepoj_packages.grammars.interpreter import WRITTEN_IN, is_grammar
from deepoj_packages.spec import InputArgs, ProblemSpec, Program

INPUTS, ANSWERS = "input validators", "answer validators"
_LARGEST_MISSHAPEN = 64 * 1024
_LOG_BYTES = 4096


@dataclass(frozen=True, slots=True)
class ValidateData:
    run: RunValidator
    files: PackageFiles
    choose: ChooseLanguage
    crew: Crew
    emit: Emit

    async def __call__(self, package: ProblemSpec) -> bool:
        """Return whether all data is as the validators want it, and all that is bad is not."""
        if not package.input_validators:
            self._find(Severity.WARNING, INPUTS, "there is none, so nobody looks at the inputs")
        inputs = [*_inputs(package), *self._junk(package)]
        answers = _answers(package)
        good = await self._validate(INPUTS, package.input_validators, inputs)
        return await self._validate(ANSWERS, package.answer_validators, answers) and good

    async def _validate(self, about: str, programs: Sequence[Program], subjects: Sequence[Subject]) -> bool:
        found = [(each, toolchain) for each in programs if (toolchain := self._toolchain(about, each))]
        ok = True
        rejected: set[str] = set()
        tell = self._telling(about, len(found) * len(subjects))
        ran = 0
        said = await self._refused_by_each(found, subjects, tell)
        for (program, _), refused in zip(found, said, strict=True):
            if isinstance(refused, CompileFailed):
                log = refused.log[:_LOG_BYTES].decode(errors="replace")
                self._complain(about, f"{program.name} does not compile: {log}")
                ok = False
                continue
            ran += 1
            rejected.update(refused)
            ok = self._all_confirmed(about, program, subjects, refused) and ok
        if not ran or ran < len(programs):
            # One that did not run might have refused what the others take.
            return ok
        return self._all_rejected(about, subjects, rejected) and ok

    async def _refused_by_each(
        self,
        found: Sequence[tuple[Program, Toolchain]],
        subjects: Sequence[Subject],
        tell: Callable[[str, str], None],
    ) -> list[dict[str, str] | CompileFailed]:
        shares = self.crew.shares(subjects)
        works = [
            partial(self.run, program, toolchain, share, partial(tell, program.name))
            for program, toolchain in found
            for share in shares
        ]
        said = await self.crew.do(works)
        return [_together(said[at : at + len(shares)]) for at in range(0, len(said), len(shares) or 1)]

    def _telling(self, about: str, total: int) -> Callable[[str, str], None]:
        done: set[tuple[str, str]] = set()

        def tell(program: str, subject: str) -> None:
            done.add((program, subject))
            self.emit(Working(about, len(done), total))

        return tell

    def _all_confirmed(
        self, about: str, program: Program, subjects: Sequence[Subject], refused: Mapping[str, str]
    ) -> bool:
        by_words: dict[str, list[str]] = {}
        for subject in subjects:
            if subject.wanted is Wanted.CONFIRMED and subject.name in refused:
                by_words.setdefault(refused[subject.name], []).append(subject.name)
        for said, names in by_words.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            self._complain(about, f"{program.name} does not confirm {names[0]}{more}: {said}")
        return not by_words

    def _all_rejected(self, about: str, subjects: Sequence[Subject], rejected: set[str]) -> bool:
        taken = [each for each in subjects if each.name not in rejected]
        bad = [each.name for each in taken if each.wanted is Wanted.REFUSED]
        for name in bad:
            self._complain(about, f"no {about.removesuffix('s')} refuses {name}")
        if junk := [each.name for each in taken if each.wanted is Wanted.JUNK]:
            self._find(Severity.WARNING, about, f"none of them refuses {', '.join(junk)}")
        return not bad

    def _toolchain(self, about: str, program: Program) -> Toolchain | None:
        """A language that Deep-OJ does not know, or this machine lacks: the data may still be right."""
        try:
            return self.choose(WRITTEN_IN if is_grammar(program.language) else program.language)
        except SetterFailedError as error:
            self._find(Severity.WARNING, about, f"{program.name} was not run: {error}")
            return None

    def _junk(self, package: ProblemSpec) -> list[Subject]:
        smallest = min(package.cases, key=lambda case: self.files.blob(case.input).size)
        junk = dict(ANYWHERE)
        blob = self.files.blob(smallest.input)
        if blob.size <= _LARGEST_MISSHAPEN:
            junk |= misshapen(blob.path.read_bytes())
        inputs = {self.files.content(case.input) for case in package.cases}
        return [
            Subject(name, content, smallest.input_validator_args, Wanted.JUNK)
            for name, content in junk.items()
            if hash_of(content) not in inputs
        ]

    def _complain(self, about: str, message: str) -> None:
        self._find(Severity.ERROR, about, message)

    def _find(self, severity: Severity, about: str, message: str) -> None:
        self.emit(Finding(severity, about, message))


def _together(parts: Sequence[dict[str, str] | CompileFailed]) -> dict[str, str] | CompileFailed:
    refused: dict[str, str] = {}
    for part in parts:
        if isinstance(part, CompileFailed):
            return part
        refused |= part
    return refused


def _inputs(package: ProblemSpec) -> list[Subject]:
    good = [Subject(case.name, case.input, case.input_validator_args) for case in package.cases]
    bad = [
        Subject(each.name, each.input, each.input_validator_args, Wanted.REFUSED)
        for each in package.invalid_inputs
    ]
    return good + bad


def _answers(package: ProblemSpec) -> list[Subject]:
    good = [
        Subject(case.name, case.answer, InputArgs(case.output_validator_args), beside=case.input)
        for case in package.cases
        if case.answer
    ]
    bad = [
        Subject(each.name, each.answer, InputArgs(each.output_validator_args), Wanted.REFUSED, each.input)
        for each in package.invalid_answers
    ]
    return good + bad
