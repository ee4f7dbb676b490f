"""Generate the types of the web client from the API's own description."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from dependency_injector import providers

from deepoj_bff.container import Container
from deepoj_bff.inbound.http.openapi.document import document
from deepoj_bff.settings import BffSettings
from deepoj_kit.settings import Secret

OUTPUT: Final = Path(__file__).parent / "src" / "api" / "schema.d.ts"
HEADER: Final = "// Made by generate_client.py from the API's description. Do not edit.\n"
_REFERENCE: Final = "#/components/schemas/"
_NOWHERE: Final = "unix:/nobody"
_PRIMITIVES: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}

Json = dict[str, Any]
"""A part of the description: whatever JSON holds."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="example: uv run web/generate_client.py --check"
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when it would change")
    asked = parser.parse_args()
    made = client(described())
    if not asked.check:
        OUTPUT.write_text(made)
        return 0
    if OUTPUT.read_text() == made:
        return 0
    print(f"{OUTPUT.name} does not match the API: run web/generate_client.py", file=sys.stderr)
    return 1


def described() -> Json:
    """Return the description of the front door; nothing is started and nobody is called."""
    settings = BffSettings(
        service_token=Secret("x"),
        record_address=_NOWHERE,
        judgement_address=_NOWHERE,
        question_address=_NOWHERE,
        game_address=_NOWHERE,
        user_address=_NOWHERE,
        redis_url=Secret("redis://127.0.0.1:1/0"),
    )
    parsed: Json = json.loads(asyncio.run(_document(Container(settings=settings))))
    return parsed


async def _document(container: Container) -> bytes:
    """Return it from a container that is made where there is an event loop, as its channels want."""
    container.services.override(providers.Object(None))
    return document(container.app())


def client(description: Json) -> str:
    """Return the types: an interface for each schema, and one with every route."""
    schemas = description["components"]["schemas"]
    parts = [_declared(name, schemas[name]) for name in sorted(schemas)]
    routes = "".join(f"  {line}\n" for line in sorted(_routes(description)))
    return HEADER + "\n" + "\n".join(parts) + "\nexport interface Routes {\n" + routes + "}\n"


def _routes(description: Json) -> Iterator[str]:
    for path, item in description["paths"].items():
        for method, operation in item.items():
            fields = [*_parameters(operation, "path"), *_parameters(operation, "query"), *_body(operation)]
            fields.append(f"answer: {_answer(operation)}")
            yield f'"{method.upper()} {path}": {{ {"; ".join(fields)} }};'


def _parameters(operation: Json, place: str) -> Iterator[str]:
    found = [each for each in operation.get("parameters", ()) if each["in"] == place]
    if found:
        named = [
            f"{_key(each['name'])}{'' if each.get('required') else '?'}: {type_of(each['schema'])}"
            for each in sorted(found, key=lambda each: str(each["name"]))
        ]
        yield f"{place}: {{ {'; '.join(named)} }}"


def _body(operation: Json) -> Iterator[str]:
    body = operation.get("requestBody")
    if body:
        json_body = body["content"].get("application/json")
        optional = "" if body.get("required") else "?"
        yield f"body{optional}: {type_of(json_body['schema']) if json_body else 'Blob'}"


def _answer(operation: Json) -> str:
    for status, each in sorted(operation["responses"].items()):
        if status.startswith("2"):
            content = each.get("content", {})
            if "application/json" in content:
                return type_of(content["application/json"]["schema"])
            return "Blob" if content else "null"
    return "null"


def _declared(full_name: str, schema: Json) -> str:
    name = _identifier(full_name)
    if schema.get("type") == "object" and "properties" in schema:
        return f"export interface {name} {{\n{''.join(_fields(schema))}}}\n"
    return f"export type {name} = {type_of(schema)};\n"


def _fields(schema: Json) -> Iterator[str]:
    required = set(schema.get("required", ()))
    for name, each in schema["properties"].items():
        # An answer has all its fields; a body may leave out those with a default.
        mark = "" if name in required else "?"
        yield f"  {_key(name)}{mark}: {type_of(each)};\n"


def type_of(schema: Json) -> str:
    """Return the type of a value of this schema."""
    if "$ref" in schema:
        return _identifier(str(schema["$ref"]).removeprefix(_REFERENCE))
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if choices := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return " | ".join(dict.fromkeys(type_of(each) for each in choices))
    kinds = schema.get("type", "")
    return " | ".join(_of_kind(kind, schema) for kind in (kinds if isinstance(kinds, list) else [kinds]))


def _of_kind(kind: str, schema: Json) -> str:
    if kind == "array" and "prefixItems" in schema:
        return f"[{', '.join(type_of(each) for each in schema['prefixItems'])}]"
    if kind == "array":
        inner = type_of(schema.get("items") or {})
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "object":
        return _object(schema)
    return _PRIMITIVES.get(kind, "unknown")


def _object(schema: Json) -> str:
    if "properties" in schema:
        return f"{{ {' '.join(field.strip() for field in _fields(schema))} }}"
    values = schema.get("additionalProperties")
    return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"


def _identifier(name: str) -> str:
    """Return a name for a type: of two types of the same name the description tells the module too."""
    return name.replace(".", "_")


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


if __name__ == "__main__":
    sys.exit(main())
