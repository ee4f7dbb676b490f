"""What this host tells record that it has."""

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.submission.route import Abilities
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_languages.scripts import SCRIPTS


@dataclass(frozen=True, slots=True)
class HostAbilities:
    toolchains: InstalledToolchains
    memory_mib: int
    runs_nothing: bool = False

    def __call__(self) -> Abilities:
        """Before the machine is examined it has nothing; who runs nothing needs nothing."""
        scripts = self.toolchains.scripts()
        has = {each.language.slug for each in self.toolchains.installed()}
        has |= {scripts.language.slug} if scripts is not None else set()
        if self.runs_nothing:
            has = {each.slug for each in (*self.toolchains.table(), SCRIPTS)}
        return Abilities(languages=frozenset(has), memory_mib=self.memory_mib)
