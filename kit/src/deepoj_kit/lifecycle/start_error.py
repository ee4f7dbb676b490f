from __future__ import annotations


class StartError(Exception):
    """The process cannot start for a reason outside its code; the message is one sentence for a person."""
