"""Examples of bodies, made of the examples of their fields."""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]
_REFERENCE: Final = "#/components/schemas/"
_TEXTS: Final = {
    "date-time": "2026-01-02T03:04:05Z",
    "uuid": "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
    "binary": "",
}
_PATTERNS: Final = {"^[0-9a-f]{64}$": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}


def example(schema: Json, schemas: Json) -> object:
    """Return a value of this schema: its own example, or one made of its parts."""
    reference = schema.get("$ref")
    if reference is not None:
        return example(schemas[reference.removeprefix(_REFERENCE)], schemas)
    if schema.get("examples"):
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return example(next(each for each in choices if each.get("type") != "null"), schemas)
    return _of_type(schema, schemas)


def _of_type(schema: Json, schemas: Json) -> object:
    match schema.get("type"):
        case "object":
            return {name: example(part, schemas) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [example(each, schemas) for each in schema.get("prefixItems") or [schema["items"]]]
        case "string":
            return _text(schema)
        case "integer" | "number":
            return max(schema.get("minimum", 0), 0)
        case "boolean":
            return False
        case _:
            return None


def _text(schema: Json) -> str:
    if schema.get("pattern") in _PATTERNS:
        return _PATTERNS[schema["pattern"]]
    return _TEXTS.get(schema.get("format", ""), "text")
