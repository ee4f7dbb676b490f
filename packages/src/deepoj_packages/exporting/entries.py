"""What an exported package consists of, before it is decided where it is written."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path, PurePosixPath

import yaml

from deepoj_languages.scripts import BUILD, RUN, SCRIPTS
from deepoj_packages.spec import ProblemSpec, Program

YamlValue = str | int | bool | Decimal | list["YamlValue"] | dict[str, "YamlValue"]


@dataclass(frozen=True, slots=True)
class Entry:
    path: PurePosixPath
    content: Path | bytes
    """A file to copy, or the bytes themselves."""
    executable: bool = False


def yaml_entry(path: PurePosixPath, values: dict[str, YamlValue]) -> Entry:
    text = yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return Entry(path, text.encode())


def program_entries(spec: ProblemSpec, program: Program, at: PurePosixPath) -> list[Entry]:
    """Put a program at a new place: `at` replaces its own file or directory."""
    return [
        Entry(
            at if file == program.at else at / file.relative_to(program.at),
            spec.path(file),
            executable=program.language == SCRIPTS.slug
            and (file == program.main or file.name in {BUILD, RUN}),
        )
        for file in program.files
    ]


class _Dumper(yaml.SafeDumper):
    pass


def _write_decimal(dumper: yaml.SafeDumper, value: Decimal) -> yaml.ScalarNode:
    # With the kind its text has anyway, so that no tag is written.
    kind = "int" if value == value.to_integral_value() else "float"
    text = f"{value:.0f}" if kind == "int" else f"{value:f}"
    return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", text)


_Dumper.add_representer(Decimal, _write_decimal)
