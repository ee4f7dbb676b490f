"""A judgement and a later one of the same program: what came out the same, and what was different."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from deepoj_domain.judgement.manifest import Manifest
from deepoj_domain.kernel.verdict import Verdict

_NAMED_CASES: Final = 3


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """`verdict` None: skipped."""

    name: str
    verdict: Verdict | None
    time_ms: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Reached:
    verdict: Verdict
    cases: tuple[CaseOutcome, ...]
    manifest: Manifest | None
    """None: nobody kept it."""


@dataclass(frozen=True, slots=True)
class CasePair:
    """None: there was, or is, no such case."""

    name: str
    before: CaseOutcome | None
    after: CaseOutcome | None

    @property
    def same(self) -> bool:
        return None not in (self.before, self.after) and _verdict(self.before) == _verdict(self.after)


@dataclass(frozen=True, slots=True)
class Difference:
    what: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.what} ({self.before or 'none'}, now {self.after or 'none'})"


@dataclass(frozen=True, slots=True)
class Reproduction:
    before: Reached
    after: Reached
    cases: tuple[CasePair, ...]
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Every verdict; time and memory are never the same to the last digit."""
        return self.before.verdict is self.after.verdict and all(case.same for case in self.cases)

    @property
    def sentence(self) -> str:
        return " ".join((self._verdicts(), *self._costs(), *self._circumstances()))

    def _verdicts(self) -> str:
        before, after = self.before.verdict, self.after.verdict
        if self.same:
            return f"The same: {after}{', case by case' if self.cases else ''}."
        changed = [case for case in self.cases if not case.same]
        named = ", ".join(
            f"{case.name} ({_verdict(case.before)}, now {_verdict(case.after)})"
            for case in changed[:_NAMED_CASES]
        )
        more = f" and {len(changed) - _NAMED_CASES} more" if len(changed) > _NAMED_CASES else ""
        whole = f"It was {before} and is {after}." if before is not after else f"It is {after} again."
        return f"{whole} Cases that differ: {named}{more}." if changed else whole

    def _costs(self) -> Iterator[str]:
        """Only cases that ran both times can be compared."""
        both = [(case.before, case.after) for case in self.cases if case.before and case.after]
        before, after = sum(then.time_ms for then, _ in both), sum(now.time_ms for _, now in both)
        if before:
            yield f"CPU time: {before} ms then, {after} ms now ({after / before:.2f} times)."

    def _circumstances(self) -> Iterator[str]:
        then = self.before.manifest
        if then is None:
            yield "What it was judged with then was not kept."
            return
        told = ", ".join(map(str, self.differences))
        yield f"Different: {told}." if told else "Judged with the same in all that is kept."
        if then.from_cache:
            yield "The stored result is of an earlier judgement of the same code, from the judge cache."


def compare(before: Reached, after: Reached) -> Reproduction:
    return Reproduction(before, after, _pairs(before.cases, after.cases), tuple(_differences(before, after)))


def _pairs(before: Sequence[CaseOutcome], after: Sequence[CaseOutcome]) -> tuple[CasePair, ...]:
    then, now = ({case.name: case for case in cases} for cases in (before, after))
    return tuple(CasePair(name, then.get(name), now.get(name)) for name in {**then, **now})


def _differences(before: Reached, after: Reached) -> Iterator[Difference]:
    if before.manifest is None or after.manifest is None:
        return
    for (what, then), (_, now) in zip(_facts(before.manifest), _facts(after.manifest), strict=True):
        if then != now:
            yield Difference(what, then, now)


def _facts(manifest: Manifest) -> Iterator[tuple[str, str]]:
    host, limits = manifest.host, manifest.limits
    yield "judging rules", manifest.spec
    yield "test data", manifest.data
    yield "source", manifest.source
    yield "toolchain", manifest.toolchain
    yield "checkers' toolchains", "; ".join(manifest.checker_toolchains)
    yield "compiler's command", "; ".join(" ".join(step) for step in manifest.compile)
    yield "command", " ".join(manifest.run)
    yield "environment", " ".join(manifest.environment)
    yield "time limit", f"{limits.cpu_ms} ms"
    yield "memory limit", f"{limits.memory_kib} KiB"
    yield (
        "other limits",
        f"output {limits.output_kib} KiB, stack {limits.stack_kib} KiB, processes {limits.processes}",
    )
    yield "worker", host.worker
    yield "processor", f"{host.architecture} {host.processor}".strip()
    yield "cores", str(host.cores)
    yield "pace", f"{host.speed_percent} %"
    yield "kernel", host.kernel
    yield "isolation", ", ".join(host.layers)
    yield "Deep-OJ", host.version


def _verdict(case: CaseOutcome | None) -> str:
    if case is None:
        return "not there"
    return "skipped" if case.verdict is None else case.verdict
