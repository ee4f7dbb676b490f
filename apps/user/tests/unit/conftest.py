"""The service put together as in production, on ports in memory."""

from __future__ import annotations

from itertools import count

import pytest
from dependency_injector import providers

from apps.user.tests.fakes import (
    MemoryMailer,
    MemoryStore,
    MemoryThrottle,
    PlainAccessTokens,
    PlainCodes,
    PlainPasswords,
    an_account,
)
from apps.user.tests.memory_views import (
    MemoryAdminLogIns,
    MemoryAuditViews,
    MemoryInvitationViews,
    MemorySessionViews,
    MemorySigningKeys,
    MemoryTokenViews,
    MemoryViews,
)
from deepoj_domain.kernel.role import Role
from deepoj_domain.testing import ALICE, BOB, ROOT, uuid
from deepoj_kit.lifecycle import Process
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.container import Container
from deepoj_user.settings import UserSettings


@pytest.fixture
def store() -> MemoryStore:
    """With two contestants and an admin."""
    store = MemoryStore()
    people = (
        an_account(ALICE, "alice"),
        an_account(BOB, "bob"),
        an_account(ROOT.account_id, "root", Role.ADMIN),
    )
    store.rows.accounts = {each.id: each for each in people}
    return store


@pytest.fixture
def throttle() -> MemoryThrottle:
    return MemoryThrottle()


@pytest.fixture
def passwords() -> PlainPasswords:
    return PlainPasswords()


@pytest.fixture
def mailer() -> MemoryMailer:
    return MemoryMailer()


@pytest.fixture
def container(
    store: MemoryStore,
    throttle: MemoryThrottle,
    passwords: PlainPasswords,
    mailer: MemoryMailer,
    clock: ManualClock,
) -> Container:
    settings = UserSettings(
        listen="unix:/nobody",
        service_token=Secret("throw-away"),
        postgres_url=Secret("postgresql:///nowhere"),
        redis_url=Secret("redis://127.0.0.1:1/0"),
    )
    made = Container(settings=settings, process=Process())
    ids, codes, tokens = count(1000), PlainCodes(), count(1)
    for provider, value in (
        (made.clock, clock),
        (made.new_id, lambda: uuid(next(ids))),
        (made.codes, codes),
        (made.random_bytes, lambda size: next(tokens).to_bytes(size, "big")),
        (made.store, store),
        (made.directory, store),
        (made.mail_queue, store),
        (made.throttle, throttle),
        (made.passwords, passwords),
        (made.mailer, mailer),
        (made.access_tokens, PlainAccessTokens(clock.now)),
        (made.signing_keys, MemorySigningKeys()),
        (made.views, MemoryViews(store.accounts)),
        (made.token_views, MemoryTokenViews(store.api_tokens)),
        (made.session_views, MemorySessionViews(store.sessions, store.accounts)),
        (made.invitation_views, MemoryInvitationViews(store.invitations)),
        (made.admin_log_ins, MemoryAdminLogIns()),
        (made.audit_views, MemoryAuditViews()),
    ):
        provider.override(providers.Object(value))
    return made
