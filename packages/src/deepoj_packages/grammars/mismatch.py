"""How an interpreter says no."""


class MismatchError(Exception):
    """The data is not as the grammar describes it."""


class GrammarError(Exception):
    """The grammar itself makes no sense, or asks for more than an interpreter does."""
