"""What an archive holds: problems, and those of them that were refused without stopping the others."""

from dataclasses import dataclass

from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import FormatVersion, ProblemSpec


@dataclass(frozen=True, slots=True)
class RefusedProblem:
    name: str
    reason: Reason
    sentence: str


@dataclass(frozen=True, slots=True)
class ProblemSet:
    format: FormatVersion
    problems: tuple[ProblemSpec | RefusedProblem, ...]

    def only(self, item: str) -> ProblemSpec:
        """The one that is named, or that is the only one; raise PackageRefusedError."""
        found = [each for each in self.problems if not item or _name(each) == item]
        if len(found) == 1:
            if isinstance(found[0], RefusedProblem):
                raise PackageRefusedError(found[0].reason, f"{found[0].name}: {found[0].sentence}")
            return found[0]
        names = ", ".join(_described(each) for each in self.problems[:_NAMED])
        more = f" and {len(self.problems) - _NAMED} more" if len(self.problems) > _NAMED else ""
        raise PackageRefusedError(
            Reason.SEVERAL,
            f"there are {len(self.problems)} problems, choose one of them by its name: {names}{more}",
        )


_NAMED = 20


def _described(problem: ProblemSpec | RefusedProblem) -> str:
    if isinstance(problem, RefusedProblem):
        return problem.name
    return f"{problem.short_name} ({problem.title})"


def _name(problem: ProblemSpec | RefusedProblem) -> str:
    return problem.name if isinstance(problem, RefusedProblem) else problem.short_name
