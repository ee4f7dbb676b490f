"""role × owner × enabled × access: every case by name."""

from itertools import product

import pytest

from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.visibility import Access, is_staff, may, may_create
from deepoj_domain.testing import ALICE, BOB

# For each who: what of a hidden question, what of a published one.
R, I, E = Access.READ, Access.INSPECT, Access.EDIT  # noqa: E741 — one letter a column
TABLE: dict[tuple[Role | None, bool], tuple[set[Access], set[Access]]] = {
    (None, False): (set(), {R}),
    (Role.CONTESTANT, False): (set(), {R}),
    (Role.CONTESTANT, True): ({R, I}, {R, I}),
    (Role.SETTER, False): (set(), {R}),
    (Role.SETTER, True): ({R, I, E}, {R, I, E}),
    (Role.JUDGE, False): ({R, I}, {R, I}),
    (Role.JUDGE, True): ({R, I, E}, {R, I, E}),
    (Role.ADMIN, False): ({R, I, E}, {R, I, E}),
    (Role.ADMIN, True): ({R, I, E}, {R, I, E}),
}


@pytest.mark.parametrize(("who", "enabled", "access"), list(product(TABLE, (False, True), Access)), ids=str)
def test_access_is_as_the_table_says(who: tuple[Role | None, bool], *, enabled: bool, access: Access) -> None:
    role, owns = who
    actor = None if role is None else Actor(BOB if owns else ALICE, role)
    assert may(actor, access, owner=BOB, enabled=enabled) is (access in TABLE[who][enabled])


def test_the_table_is_complete() -> None:
    assert set(TABLE) == {(None, False), *product(Role, (False, True))}


def test_setters_create_and_only_judges_and_admins_are_staff() -> None:
    assert [role for role in Role if may_create(Actor(ALICE, role))] == [Role.SETTER, Role.JUDGE, Role.ADMIN]
    assert [role for role in Role if is_staff(Actor(ALICE, role))] == [Role.JUDGE, Role.ADMIN]
    assert not is_staff(None)
