"""What containers pass on fits what it is passed to.

The injector takes its arguments as `Any`, so the type checker does not see them. Here each container is
written out as the plain calls that it stands for, and those are given to the type checker.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from dependency_injector import containers, providers

ROOT = Path(__file__).parents[2]
CONTAINERS = {
    "deepoj_bff.container:Container",
    "deepoj_game.container:Container",
    "deepoj_judgement.container.worker:Container",
    "deepoj_judgement.container.setter:SetterContainer",
    "deepoj_question.container:Container",
    "deepoj_record.container:Container",
    "deepoj_user.container:Container",
}
# What is taken from another provider's value.
PARTS = (
    providers.ProvidedInstance,
    providers.AttributeGetter,
    providers.ItemGetter,
    providers.MethodCaller,
)
PREAMBLE = """
from typing import TypeVar

T = TypeVar("T")

def a(kind: type[T]) -> T:
    raise NotImplementedError
"""
PLANTED = """
from collections.abc import Callable
from dependency_injector import containers, providers

class Settings:
    size: int = 3
    def name(self) -> str: return ""

class Store: ...

class Reads:
    def __init__(self, store: Store, size: int, name: str, *, clock: Callable[[], float]) -> None: ...

def now() -> float: return 0.0

class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=Settings)
    store = providers.Singleton(Store)
    reads = providers.Singleton({arguments})
"""
# The arguments of `reads`, and what the type checker says of them.
ARGUMENTS = [
    ("Reads, store, settings.provided.size, settings.provided.name.call(), clock=now", ""),
    ("Reads, settings, 3, 'a', clock=now", 'has incompatible type "Settings"; expected "Store"'),
    ("Reads, store, settings.provided.name, 'a', clock=now", 'expected "int"'),
    ("Reads, store, 3, settings.provided.size, clock=now", 'expected "str"'),
    ("Reads, store, 3, settings.provided.colour, clock=now", 'has no attribute "colour"'),
    ("Reads, store, 3, 'a', clock=providers.Object(Store)", 'expected "Callable[[], float]"'),
    ("Reads, store, 3, 'a'", 'Missing named argument "clock"'),
    ("Reads, store, 3, 'a', clock=now, colour=1", 'Unexpected keyword argument "colour"'),
]


# The annotations of the injector do not tell what a provider was made of.
Provider = Any


@dataclass
class Script:
    """A container as plain calls: each provider a variable."""

    modules: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)
    variables: dict[int, str] = field(default_factory=dict)

    def variable(self, provider: Provider, name: str = "") -> str:
        if id(provider) not in self.variables:
            written = self.written(provider)
            self.variables[id(provider)] = name = name or f"unnamed_{len(self.variables)}"
            self.lines.append(f"{name} = {written}")
        return self.variables[id(provider)]

    def written(self, provider: Provider) -> str:  # noqa: PLR0911 — one for each kind of provider
        match provider:
            case providers.Dependency():
                return f"a({self.named(provider.instance_of)})"
            case providers.Object():
                return self.value(provider.provides)
            case providers.Selector():
                self.lines.append(f"str.lower({self.value(provider.selector)})")
                return " if bool() else ".join(self.variable(each) for each in provider.providers.values())
            case providers.List():
                return f"[{self.arguments(provider.args, {})}]"
            case (
                providers.Callable()
                | providers.Factory()
                | providers.BaseSingleton()
                | providers.MethodCaller()
            ):
                return self.call(provider)
            case providers.ProvidedInstance():
                return self.value(provider.provides)
            case providers.AttributeGetter():
                return f"{self.value(provider.provides)}.{provider.name}"
            case providers.ItemGetter():
                return f"{self.value(provider.provides)}[{provider.name!r}]"
            case _:
                raise TypeError(f"nobody has said what {provider} stands for")

    def call(self, provider: Provider) -> str:
        called, args, kwargs = provider.provides, provider.args, provider.kwargs
        while isinstance(called, providers.Factory):
            # A factory of a factory adds to the arguments of the inner one.
            inner: Provider = called
            called, args, kwargs = inner.provides, inner.args + args, inner.kwargs | kwargs
        return f"{self.value(called)}({self.arguments(args, kwargs)})"

    def arguments(self, args: Iterable[object], kwargs: Mapping[str, object]) -> str:
        given = [self.value(each) for each in args]
        return ", ".join([*given, *(f"{name}={self.value(each)}" for name, each in kwargs.items())])

    def value(self, value: object) -> str:  # noqa: PLR0911 — one for each kind of value
        match value:
            case providers.Provider():
                return self.written(value) if isinstance(value, PARTS) else self.variable(value)
            case Enum():
                return f"{self.named(type(value))}.{value.name}"
            case None | bool() | int() | float() | str() | bytes():
                return repr(value)
            case functools.partial():
                inner = ", ".join([self.value(value.func), self.arguments(value.args, value.keywords)])
                return f"{self.named(functools.partial)}({inner})"
            case list():
                return f"[{self.arguments(value, {})}]"
            case tuple():
                return f"(*[{self.arguments(value, {})}],)"
            case _ if hasattr(value, "__qualname__"):
                return self.named(value)
            case _:
                return f"a({self.named(type(value))})"

    def named(self, thing: object) -> str:
        """Return the name under which a module has it; a lambda has none, and no type either."""
        module, name = str(getattr(thing, "__module__", "")), str(getattr(thing, "__qualname__", ""))
        if "<" in name or not module:
            raise TypeError(f"{thing} has no name: the type checker cannot see it")
        self.modules.add(module)
        return f"{module}.{name}"

    def text(self) -> str:
        imports = "\n".join(f"import {module}" for module in sorted(self.modules))
        return "\n".join([imports, PREAMBLE, *self.lines, ""])


def test_every_container_of_every_service_is_checked(packages: dict[str, Path]) -> None:
    found = set()
    for package, source in packages.items():
        for module in pkgutil.walk_packages([str(source)], f"{package}."):
            if ".container" in module.name:
                found |= {f"{module.name}:{each}" for each in containers_in(module.name)}
    assert found == CONTAINERS


def test_every_argument_fits_the_annotation_it_meets(tmp_path: Path) -> None:
    for number, place in enumerate(sorted(CONTAINERS)):
        module, _, name = place.partition(":")
        written = script(getattr(importlib.import_module(module), name))
        (tmp_path / f"wiring_{number}_of_{module.split('.')[0]}.py").write_text(written)
    assert checked(tmp_path) == ""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Return what the type checker says of each row of ARGUMENTS, after one run for all."""
    directory = tmp_path_factory.mktemp("planted")
    for number, (arguments, _) in enumerate(ARGUMENTS):
        (directory / f"wiring_{number}.py").write_text(script(planted(directory, number, arguments)))
    said = checked(directory).splitlines()
    return [[line for line in said if f"wiring_{number}.py" in line] for number in range(len(ARGUMENTS))]


@pytest.mark.parametrize("number", range(len(ARGUMENTS)), ids=[arguments for arguments, _ in ARGUMENTS])
def test_a_planted_argument_that_does_not_fit_is_seen(complaints: list[list[str]], number: int) -> None:
    _, expected = ARGUMENTS[number]
    assert any(expected in line for line in complaints[number]) == bool(expected), complaints[number]
    assert bool(complaints[number]) == bool(expected), complaints[number]


def test_a_lambda_is_refused(tmp_path: Path) -> None:
    container = planted(tmp_path, len(ARGUMENTS), "lambda store: store, store")
    with pytest.raises(TypeError, match="has no name"):
        script(container)


def planted(directory: Path, number: int, arguments: str) -> type[containers.DeclarativeContainer]:
    name = f"planted_{number}"
    source = directory / f"{name}.py"
    source.write_text(PLANTED.format(arguments=arguments))
    spec = importlib.util.spec_from_file_location(name, source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[containers.DeclarativeContainer] = module.Container
    return found


def containers_in(module: str) -> Iterable[str]:
    made = importlib.import_module(module)
    for name, value in vars(made).items():
        is_container = isinstance(value, type) and issubclass(value, containers.DeclarativeContainer)
        if is_container and value.__module__ == module:
            yield name


def script(container: type[containers.DeclarativeContainer]) -> str:
    made, provided = Script(), container.providers
    # What others complete is not called as it is.
    incomplete = {id(getattr(each, "provides", None)) for each in provided.values()}
    for name, provider in provided.items():
        if id(provider) not in incomplete or not isinstance(provider, providers.Factory):
            made.variable(provider, name)
    return made.text()


def checked(directory: Path) -> str:
    """Return what the type checker says of the scripts in a directory; nothing when all is well."""
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", *map(str, sorted(directory.glob("wiring*.py")))],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"MYPYPATH": str(directory)},
        cwd=ROOT,
    )
    assert said.stderr == ""
    return said.stdout
