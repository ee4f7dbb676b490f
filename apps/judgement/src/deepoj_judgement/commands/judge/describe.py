"""The manifest of a judgement: what it is judged by, with what and where."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from deepoj_domain.judgement.manifest import JudgeHost, Manifest
from deepoj_domain.kernel.digest import ContentHash, hash_of, written_out
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_judgement.commands.judge.program import Source
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.steps.compile import LIMITS as COMPILER_LIMITS
from deepoj_judgement.commands.judge.toolchain import Toolchain

_MOST_KEPT: Final = 512
_MAIN: Final = "{main}"


@dataclass(frozen=True, slots=True)
class Describe:
    host: Callable[[], JudgeHost]
    known: OrderedDict[RevisionRef, tuple[ContentHash, ContentHash]] = field(default_factory=OrderedDict)
    """The hashes of rules and data, by revision: a revision may have thousands of cases."""

    def __call__(
        self,
        revision: RevisionRef,
        source: Source,
        spec: JudgeSpec,
        toolchain: Toolchain,
        checkers: tuple[str, ...],
    ) -> Manifest:
        rules, data = self._hashes(revision, spec)
        limits, language = spec.limits_for(toolchain.language), toolchain.language
        compiler_kib = COMPILER_LIMITS.memory_bytes // 1024
        return Manifest(
            revision=revision,
            spec=rules,
            data=data,
            source=source.hash,
            language=language.slug,
            toolchain=toolchain.identity,
            checker_toolchains=checkers,
            compile=tuple(
                toolchain.compile_argv(step, (language.source_name,), _MAIN, compiler_kib)
                for step in language.compile
            ),
            run=toolchain.run_argv(_MAIN, limits.memory_kib, limits.stack_kib),
            environment=toolchain.environment(limits.memory_kib),
            limits=limits,
            host=self.host(),
        )

    def _hashes(self, revision: RevisionRef, spec: JudgeSpec) -> tuple[ContentHash, ContentHash]:
        if revision not in self.known:
            contents = "\n".join(each for case in spec.suite.cases for each in case.contents)
            self.known[revision] = hash_of(written_out(spec).encode()), hash_of(contents.encode())
            if len(self.known) > _MOST_KEPT:
                self.known.popitem(last=False)
        return self.known[revision]
