"""When two different spellings are the same text."""

import unicodedata


def folded(text: bytes, *, case_sensitive: bool = True, normalise_unicode: bool = False) -> bytes:
    """Bytes that are not UTF-8 stay distinct from each other and from all text."""
    if text.isascii():
        # The same, without the way through str.
        return text if case_sensitive else text.lower()
    decoded = text.decode(errors="surrogateescape")
    if normalise_unicode:
        decoded = unicodedata.normalize("NFC", decoded)
    if not case_sensitive:
        decoded = decoded.casefold()
    return decoded.encode(errors="surrogateescape")
