"""What every step of reading shares: the files, the options, and the warnings gathered on the way."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from deepoj_packages.options import ReadingOptions
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section, load_section


@dataclass(slots=True)
class Reading:
    tree: Tree
    options: ReadingOptions
    warnings: list[str] = field(default_factory=list)

    def warn(self, sentence: str) -> None:
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def yaml(self, path: PurePosixPath) -> Section:
        """An empty section when the file is not there."""
        if not self.tree.has(path):
            return Section(str(path))
        limits = self.options.limits
        return load_section(self.tree.text(path, limits.yaml_bytes), str(path), limits)

    def warn_unknown(self, section: Section) -> None:
        for key in section.unknown():
            self.warn(f"{section.where}: the key {key!r} is not known and was not used")
