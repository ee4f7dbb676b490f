"""A word that the domain has stands there and nowhere else."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from enum import StrEnum
from importlib import import_module
from types import ModuleType

import deepoj_domain
from deepoj_bff.inbound.http import wire
from deepoj_bff.queries import views


def enums_of(package: ModuleType) -> Iterator[tuple[str, tuple[str, ...]]]:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, type) and issubclass(value, StrEnum) and value.__module__ == module.name:
                yield name, tuple(sorted(value))


def test_the_front_door_repeats_no_enum_of_the_domain() -> None:
    own = {*enums_of(views), *enums_of(wire)}
    assert own
    assert not own & {*enums_of(deepoj_domain)}
