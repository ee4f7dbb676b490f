"""How old an answer may be by design, whatever becomes of its events."""

from __future__ import annotations

from deepoj_bff.container import STATUS


def test_a_status_is_never_older_than_five_seconds() -> None:
    assert STATUS.fresh + STATUS.stale <= 5.0
    assert STATUS.negative <= 5.0
