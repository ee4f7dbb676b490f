"""What a machine has of a language."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from deepoj_languages.language import Language

MIB = 1024 * 1024
_DEFAULT_STACK_KIB = 64 * 1024


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language this machine can run. `identity` is part of the judge cache's key."""

    language: Language
    version: str
    identity: str
    programs: Mapping[str, str] = field(default_factory=dict)
    precompiled: str = ""

    def compile_argv(
        self, step: tuple[str, ...], units: tuple[str, ...], main: str, memory_kib: int
    ) -> tuple[str, ...]:
        return self._argv(step, memory_kib, main, units)

    def run_argv(self, main: str, memory_kib: int, stack_kib: int = 0) -> tuple[str, ...]:
        stack = (stack_kib or min(memory_kib, _DEFAULT_STACK_KIB)) * 15 // 16
        template = tuple(word.replace("{stack_kib}", str(stack)) for word in self.language.run)
        return self._argv(template, memory_kib, main)

    def environment(self, memory_kib: int) -> tuple[str, ...]:
        return tuple(self._filled(word, memory_kib) for word in self.language.environment)

    def _argv(
        self, template: tuple[str, ...], memory_kib: int, main: str, units: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        words: list[str] = []
        for word in template:
            if word == "{sources}":
                words += [f"/app/{name}" for name in units]
            else:
                words.append(self._filled(word, memory_kib).replace("{main}", main))
        return (self.programs.get(words[0], words[0]), *words[1:])

    def _filled(self, word: str, memory_kib: int) -> str:
        heap = str(max(1, memory_kib // 1024))
        return word.replace("{heap_mib}", heap).replace("{precompiled}", self.precompiled)
