"""Remembering what was being done when an error came, so that a report can name it."""


class Steps:
    def __init__(self, first: str) -> None:
        self.current = first

    def now(self, step: str) -> None:
        self.current = step
