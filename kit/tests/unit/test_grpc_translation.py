import pytest

from deepoj_kit.grpc import Kind, Refusal, Translation, signed_in
from deepoj_kit.unavailable import Unavailable


class MalformedError(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class BusyError(Exception):
    pass


class VeryBusyError(BusyError):
    pass


BUSY = Refusal(Kind.EXHAUSTED, "busy", "try again")
AWAY = Refusal(Kind.UNAVAILABLE, "all_away", "all is away")
translate = Translation(MalformedError, {BusyError: BUSY})


def test_input_that_makes_no_sense_is_refused_with_its_own_code() -> None:
    refusal = translate(MalformedError("name_malformed", "a name has letters"))
    assert refusal is not None
    assert (refusal.kind, refusal.reason, refusal.message) == (
        Kind.INVALID,
        "name_malformed",
        "a name has letters",
    )


def test_an_exception_of_a_kind_that_was_told_becomes_its_refusal() -> None:
    assert translate(BusyError()) is translate(VeryBusyError()) is BUSY


def test_a_store_that_is_away_is_known_unless_told_otherwise() -> None:
    known = translate(Unavailable("gone"))
    assert known is not None
    assert (known.kind, known.reason) == (Kind.UNAVAILABLE, "store_unavailable")
    assert Translation(MalformedError, {Unavailable: AWAY})(Unavailable("gone")) is AWAY


def test_a_defect_is_no_refusal() -> None:
    assert translate(KeyError("x")) is None


def test_a_guest_is_refused_and_anybody_else_let_through() -> None:
    assert signed_in("somebody") == "somebody"
    with pytest.raises(Refusal) as refused:
        signed_in(None)
    assert (refused.value.kind, refused.value.reason) == (Kind.FORBIDDEN, "sign_in_required")
