from dataclasses import dataclass, field

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.errors import InvalidValueError

DEFAULT_LIMIT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class SourceCode:
    """What a contestant sent. It has no place in an event, a log line or Redis, so `repr` hides it."""

    text: str = field(repr=False)
    hash: ContentHash

    @classmethod
    def parse(cls, text: str, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> "SourceCode":
        if not text.strip():
            raise InvalidValueError("source_empty", "the source code is empty")
        if "\0" in text:
            raise InvalidValueError("source_has_nul", "the source code contains a NUL byte")
        try:
            encoded = text.encode()
        except UnicodeEncodeError as error:
            raise InvalidValueError(
                "source_not_unicode", "the source code is not valid Unicode text"
            ) from error
        _measure(encoded, limit_bytes)
        return cls(text, hash_of(encoded))

    def require_within(self, limit_bytes: int) -> None:
        _measure(self.text.encode(), limit_bytes)


def _measure(encoded: bytes, limit_bytes: int) -> None:
    if len(encoded) > limit_bytes:
        raise InvalidValueError("source_too_large", f"the source code is larger than {limit_bytes} bytes")
