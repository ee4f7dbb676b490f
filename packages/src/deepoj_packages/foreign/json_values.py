"""JSON as typed getters, so that no value travels inward as it came."""

import json
from decimal import Decimal

from deepoj_packages.refusal import PackageRefusedError, Reason, invalid
from deepoj_packages.yamls import decimal_of


class JsonObject:
    def __init__(self, where: str, values: dict[str, object]) -> None:
        self.where = where
        self._values = values

    def has(self, key: str) -> bool:
        return self._values.get(key) is not None

    def text(self, key: str) -> str:
        """Empty where nothing is said; a number is taken as it is written."""
        value = self._values.get(key)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise invalid(f"{self.where}: {key} must be a text")
        return str(value)

    def decimal(self, key: str) -> Decimal | None:
        text = self.text(key)
        return decimal_of(text, f"{self.where}: {key}") if text else None

    def part(self, key: str) -> "JsonObject":
        value = self._values.get(key)
        if value is None:
            return JsonObject(f"{self.where}: {key}", {})
        return self._object(key, value)

    def parts(self, key: str) -> "list[JsonObject]":
        return [self._object(key, each) for each in self._list(key)]

    def texts(self, key: str) -> list[str]:
        values = self._list(key)
        if not all(isinstance(each, str) for each in values):
            raise invalid(f"{self.where}: {key} must be a list of texts")
        return [str(each) for each in values]

    def is_object(self, key: str) -> bool:
        return isinstance(self._values.get(key), dict)

    def names(self) -> list[str]:
        return list(self._values)

    def _list(self, key: str) -> list[object]:
        value = self._values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise invalid(f"{self.where}: {key} must be a list")
        return value

    def _object(self, key: str, value: object) -> "JsonObject":
        if not isinstance(value, dict):
            raise invalid(f"{self.where}: {key} must be an object")
        return JsonObject(f"{self.where}: {key}", value)


def load_object(text: str, where: str) -> JsonObject:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise _bad(where, f"is not readable JSON (line {error.lineno})") from error
    except RecursionError as error:
        raise _bad(where, "is nested too deep") from error
    except ValueError as error:
        raise _bad(where, "has a number that is too long") from error
    if not isinstance(value, dict):
        raise _bad(where, "must be an object")
    return JsonObject(where, value)


def _bad(where: str, what: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.BAD_JSON, f"{where} {what}")
