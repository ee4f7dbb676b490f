"""The tables of user's schema: their columns are named here; statements take them from here.

Migrations make them; a test compares the two.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import MetaData, Table

from deepoj_kit.outbox import outbox_table
from deepoj_kit.postgres.columns import bigint, binary, boolean, inet, integer, moment, text, texts, uuid

METADATA: Final = MetaData(schema="user")

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    uuid("id", key=True),
    text("name"),
    text("email", optional=True),
    text("password_hash", optional=True),
    text("role"),
    text("status"),
    text("display_name"),
    text("bio"),
    text("avatar"),
    bigint("session_epoch"),
    moment("created_at"),
)
CAPTCHAS: Final = Table(
    "captchas",
    METADATA,
    uuid("id"),
    text("kind", key=True),
    text("email", key=True),
    binary("code_hash"),
    moment("sent_at"),
    moment("expires_at"),
    integer("tries_left"),
    boolean("used"),
    moment("mail_due", optional=True),
)
REFRESH_TOKENS: Final = Table(
    "refresh_tokens",
    METADATA,
    binary("token_hash", key=True),
    uuid("family_id"),
    uuid("account_id"),
    bigint("session_epoch"),
    moment("issued_at"),
    moment("expires_at"),
    moment("used_at", optional=True),
    binary("sealed_successor", optional=True),
    moment("started_at"),
    inet("address", optional=True),
    text("user_agent"),
)
API_TOKENS: Final = Table(
    "api_tokens",
    METADATA,
    uuid("id", key=True),
    uuid("account_id"),
    text("name"),
    binary("secret_hash"),
    texts("scopes"),
    moment("created_at"),
    moment("expires_at", optional=True),
    moment("last_used_at", optional=True),
)
INVITATIONS: Final = Table(
    "invitations",
    METADATA,
    uuid("id", key=True),
    text("code"),
    integer("uses_left"),
    moment("created_at"),
    moment("expires_at", optional=True),
    text("note"),
)
THROTTLES: Final = Table("throttles", METADATA, binary("key_hash", key=True), moment("paid_until"))
SIGNING_KEYS: Final = Table(
    "signing_keys",
    METADATA,
    text("id", key=True),
    text("private_key"),
    text("public_key"),
    moment("created_at"),
)
AUDIT_LOG: Final = Table(
    "audit_log",
    METADATA,
    uuid("id", key=True),
    moment("at"),
    uuid("account_id", optional=True),
    text("event"),
    inet("address", optional=True),
    text("user_agent"),
    text("detail"),
)
OUTBOX: Final = outbox_table(METADATA)
