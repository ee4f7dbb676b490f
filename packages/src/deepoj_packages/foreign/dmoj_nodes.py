"""A place in init.yml: what it does not say itself, it inherits from the place above it."""

from dataclasses import dataclass
from decimal import Decimal

from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.points import exact_points
from deepoj_packages.yamls import Section

_DEFAULT_POINTS = Decimal(1)


@dataclass(frozen=True, slots=True)
class Node:
    own: Section
    parent: "Node | None" = None

    def __post_init__(self) -> None:
        for name in self.own.names():
            if name.endswith("+"):
                raise unsupported(
                    f"{self.own.where}: the key {name[:40]!r} is Python that DMOJ runs: write what "
                    "it makes instead"
                )

    def section(self, key: str) -> Section:
        """The nearest place that has the key; the own one where none has."""
        node: Node | None = self
        while node is not None:
            if node.own.has(key):
                return node.own
            node = node.parent
        return self.own

    def text(self, key: str) -> str:
        return self.section(key).text(key)

    def texts(self, key: str) -> tuple[str, ...]:
        return self.section(key).texts(key)

    def points(self) -> Decimal:
        given = self.section("points").decimal("points", _DEFAULT_POINTS) or Decimal(0)
        return exact_points(given, f"{self.own.where}: points")

    def below(self, key: str) -> "list[Node]":
        entries = self.own.entries(key) if self.own.is_list(key) else ()
        if any(not isinstance(each, Section) for each in entries):
            raise invalid(f"{self.own.where}: {key} must be a list of maps")
        return [Node(each, self) for each in entries if isinstance(each, Section)]
