"""The tables of user's schema: their columns are named here; statements take them from here.

Migrations make them; a test compares the two.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import ARRAY, INET

from deepoj_kit.outbox import outbox_table

METADATA: Final = MetaData(schema="user")
_MOMENT: Final = DateTime(timezone=True)
_required: Final = partial(Column[Any], nullable=False)

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("id", Uuid, primary_key=True),
    _required("name", Text),
    Column("email", Text),
    Column("password_hash", Text),
    _required("role", Text),
    _required("status", Text),
    _required("display_name", Text),
    _required("bio", Text),
    _required("avatar", Text),
    _required("session_epoch", BigInteger),
    _required("created_at", _MOMENT),
)
CAPTCHAS: Final = Table(
    "captchas",
    METADATA,
    _required("id", Uuid),
    Column("kind", Text, primary_key=True),
    Column("email", Text, primary_key=True),
    _required("code_hash", LargeBinary),
    _required("sent_at", _MOMENT),
    _required("expires_at", _MOMENT),
    _required("tries_left", Integer),
    _required("used", Boolean),
    Column("mail_due", _MOMENT),
)
REFRESH_TOKENS: Final = Table(
    "refresh_tokens",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    _required("family_id", Uuid),
    _required("account_id", Uuid),
    _required("session_epoch", BigInteger),
    _required("issued_at", _MOMENT),
    _required("expires_at", _MOMENT),
    Column("used_at", _MOMENT),
    Column("sealed_successor", LargeBinary),
    _required("started_at", _MOMENT),
    Column("address", INET),
    _required("user_agent", Text),
)
API_TOKENS: Final = Table(
    "api_tokens",
    METADATA,
    Column("id", Uuid, primary_key=True),
    _required("account_id", Uuid),
    _required("name", Text),
    _required("secret_hash", LargeBinary),
    _required("scopes", ARRAY(Text)),
    _required("created_at", _MOMENT),
    Column("expires_at", _MOMENT),
    Column("last_used_at", _MOMENT),
)
INVITATIONS: Final = Table(
    "invitations",
    METADATA,
    Column("id", Uuid, primary_key=True),
    _required("code", Text),
    _required("uses_left", Integer),
    _required("created_at", _MOMENT),
    Column("expires_at", _MOMENT),
    _required("note", Text),
)
THROTTLES: Final = Table(
    "throttles", METADATA, Column("key_hash", LargeBinary, primary_key=True), _required("paid_until", _MOMENT)
)
SIGNING_KEYS: Final = Table(
    "signing_keys",
    METADATA,
    Column("id", Text, primary_key=True),
    _required("private_key", Text),
    _required("public_key", Text),
    _required("created_at", _MOMENT),
)
AUDIT_LOG: Final = Table(
    "audit_log",
    METADATA,
    Column("id", Uuid, primary_key=True),
    _required("at", _MOMENT),
    Column("account_id", Uuid),
    _required("event", Text),
    Column("address", INET),
    _required("user_agent", Text),
    _required("detail", Text),
)
OUTBOX: Final = outbox_table(METADATA)
