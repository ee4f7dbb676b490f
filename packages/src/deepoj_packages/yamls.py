"""YAML as typed getters over a tree that was measured before it was believed.

Nothing is constructed from tags: keys and values keep their text, and each getter says what it wants. So
`no: Norsk` stays a language, `version: 1.10` stays a text, and an object tag is only a refusal.
"""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

import yaml

from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid, shortened

_NULL = "tag:yaml.org,2002:null"
_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})


class Section:
    """A mapping. What nobody asked for is `unknown`, so that nothing is dropped without a word."""

    def __init__(self, where: str, node: yaml.MappingNode | None = None) -> None:
        self.where = where
        self._values: dict[str, yaml.Node] = {}
        self._asked: set[str] = set()
        for key, value in node.value if node else ():
            if not isinstance(key, yaml.ScalarNode):
                raise _bad(where, "has a key that is not a plain word")
            if key.value in self._values:
                raise _bad(where, f"has the key {shortened(key.value)!r} twice")
            self._values[key.value] = value

    def unknown(self) -> list[str]:
        return sorted(set(self._values) - self._asked)

    def names(self) -> list[str]:
        return list(self._values)

    def has(self, key: str) -> bool:
        return self._get(key) is not None

    def is_map(self, key: str) -> bool:
        return isinstance(self._get(key), yaml.MappingNode)

    def is_list(self, key: str) -> bool:
        return isinstance(self._get(key), yaml.SequenceNode)

    def text(self, key: str, default: str = "") -> str:
        node = self._get(key)
        if node is None:
            return default
        if not isinstance(node, yaml.ScalarNode):
            raise invalid(f"{self.where}: {key} must be a text")
        return str(node.value)

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.text(key, default)
        if value not in allowed:
            raise invalid(
                f"{self.where}: {key} must be one of {', '.join(allowed)}, not {shortened(value)!r}"
            )
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        value = self.text(key).lower()
        if not value:
            return default
        if value not in _TRUE | _FALSE:
            raise invalid(f"{self.where}: {key} must be true or false, not {shortened(value)!r}")
        return value in _TRUE

    def decimal(self, key: str, default: Decimal | None = None) -> Decimal | None:
        value = self.text(key)
        return default if not value else decimal_of(value, f"{self.where}: {key}")

    def whole(self, key: str) -> int | None:
        """A number above 0; a fraction is rounded up, because a limit must not shrink."""
        value = self.decimal(key)
        if value is None:
            return None
        if value <= 0:
            raise invalid(f"{self.where}: {key} must be above 0")
        return int(value.to_integral_value(rounding="ROUND_CEILING"))

    def texts(self, key: str) -> tuple[str, ...]:
        """One text, or a list of texts."""
        node = self._get(key)
        if node is None:
            return ()
        if not isinstance(node, yaml.SequenceNode):
            return (self.text(key),)
        if not all(isinstance(each, yaml.ScalarNode) for each in node.value):
            raise invalid(f"{self.where}: {key} must be a list of texts")
        return tuple(str(each.value) for each in node.value)

    def rows(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts."""
        node = self._get(key)
        rows = node.value if isinstance(node, yaml.SequenceNode) else []
        if not rows or not all(
            isinstance(row, yaml.SequenceNode)
            and all(isinstance(each, yaml.ScalarNode) for each in row.value)
            for row in rows
        ):
            raise invalid(f"{self.where}: {key} must be a list of lists")
        return tuple(tuple(str(each.value) for each in row.value) for row in rows)

    def section(self, key: str) -> "Section":
        """The mapping under a key; empty when there is none."""
        node = self._get(key)
        if node is not None and not isinstance(node, yaml.MappingNode):
            raise invalid(f"{self.where}: {key} must be a map")
        return Section(f"{self.where}: {key}", node)

    def source(self, key: str) -> str:
        """What stands under a key, as YAML of its own."""
        node = self._get(key)
        return "" if node is None else str(yaml.serialize(node, Dumper=yaml.SafeDumper, allow_unicode=True))

    def entries(self, key: str) -> "tuple[str | Section, ...]":
        """One text or map, or a list of them."""
        node = self._get(key)
        if node is None:
            return ()
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        return tuple(self._entry(key, each) for each in nodes)

    def _entry(self, key: str, node: yaml.Node) -> "str | Section":
        if isinstance(node, yaml.ScalarNode):
            return str(node.value)
        if isinstance(node, yaml.MappingNode):
            return Section(f"{self.where}: {key}", node)
        raise invalid(f"{self.where}: {key} must hold texts or maps")

    def _get(self, key: str) -> yaml.Node | None:
        self._asked.add(key)
        node = self._values.get(key)
        return None if node is None or node.tag == _NULL else node


def decimal_of(text: str, what: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise invalid(f"{what} must be a number, not {shortened(text)!r}") from None
    if not value.is_finite() or value.adjusted() > _DIGITS or value.as_tuple().exponent < -_DIGITS:  # type: ignore[operator]  # a finite number has a whole exponent
        raise invalid(f"{what} is no number a judge could use: {shortened(text)!r}")
    return value


_DIGITS = 30


def load_section(text: str, where: str, limits: ReadingLimits) -> Section:
    try:
        _measure_events(text, where, limits)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" (line {mark.line + 1})" if mark else ""
        raise _bad(where, f"is not readable YAML{line}") from error
    if node is None or node.tag == _NULL:
        return Section(where)
    if not isinstance(node, yaml.MappingNode):
        raise _bad(where, "must be a map")
    if _expanded(node, {}, where) > limits.yaml_nodes:
        raise _bad(where, f"means more than {limits.yaml_nodes} values once its aliases are written out")
    return Section(where, node)


def _measure_events(text: str, where: str, limits: ReadingLimits) -> None:
    """Events come one by one without recursion, so depth and count are known before a tree is built."""
    depth = documents = 0
    for count, event in enumerate(_events(text)):
        if count > limits.yaml_nodes:
            raise _bad(where, f"has more than {limits.yaml_nodes} values")
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
        if documents > 1:
            raise _bad(where, "holds more than one document")
        if getattr(event, "tag", None) not in {None, "!"}:
            raise _bad(where, f"uses the tag {event.tag}, and tags are not taken")  # type: ignore[attr-defined]  # it has one, as just read
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > limits.yaml_depth:
            raise _bad(where, f"is nested more than {limits.yaml_depth} deep")


def _events(text: str) -> Iterator[yaml.Event]:
    yield from yaml.parse(text, Loader=yaml.SafeLoader)


def _expanded(node: yaml.Node, known: dict[int, int], where: str) -> int:
    """How many values a node means; an alias counts again each time."""
    if id(node) in known:
        if known[id(node)] == 0:
            raise _bad(where, "has an alias that contains itself")
        return known[id(node)]
    known[id(node)] = 0
    inside: list[yaml.Node] = []
    if isinstance(node, yaml.MappingNode):
        inside = [each for pair in node.value for each in pair]
    elif isinstance(node, yaml.SequenceNode):
        inside = node.value
    known[id(node)] = 1 + sum(_expanded(each, known, where) for each in inside)
    return known[id(node)]


def _bad(where: str, what: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.BAD_YAML, f"{where} {what}")
