"""What people send about accounts, sessions and API tokens."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from deepoj_bff.queries.views.base import Body, Reason


class GrantedRole(StrEnum):
    CONTESTANT = "contestant"
    SETTER = "setter"
    JUDGE = "judge"
    ADMIN = "admin"


class SettableStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"


NewName = Annotated[str, Meta(min_length=3, max_length=32, examples=["ada"])]
Email = Annotated[str, Meta(min_length=5, max_length=254, examples=["ada@example.org"])]
Password = Annotated[str, Meta(min_length=1, max_length=256, examples=["correct horse battery"])]
NewPassword = Annotated[str, Meta(min_length=8, max_length=256, examples=["correct horse battery"])]
Captcha = Annotated[
    str, Meta(min_length=1, max_length=64, description="As it came by mail.", examples=["K7Q2M-XW3PA"])
]


class CaptchaRequest(Body, frozen=True, kw_only=True):
    email: Email
    purpose: Annotated[Literal["register", "change_password"], Meta(description="What the captcha is for.")]


Transport = Annotated[
    Literal["bearer", "cookie"],
    Meta(description="`bearer` puts the tokens into the answer, `cookie` into cookies scripts cannot read."),
]
DisplayName = Annotated[str, Meta(max_length=64, examples=["Ada L."])]


class Registration(Body, frozen=True, kw_only=True):
    """What is needed besides name and password, `GET /api/site` tells: a code by mail, or an invitation.

    An address is kept only with a captcha that was sent to it.
    """

    name: NewName
    password: NewPassword
    display_name: DisplayName = ""
    email: Email | None = None
    captcha: Captcha | None = None
    invitation: Annotated[str, Meta(max_length=64, examples=["K7Q2M-XW3PA"])] | None = None
    transport: Annotated[Transport | None, Meta(description="Begin a session too, and answer with it.")] = (
        None
    )


class NewUser(Body, frozen=True, kw_only=True):
    name: NewName
    display_name: DisplayName = ""
    email: Email | None = None
    role: GrantedRole = GrantedRole.CONTESTANT
    password: Annotated[NewPassword | None, Meta(description="Null: one is made.")] = None


CSV_LENGTH: Final = 1024 * 1024


class UserImport(Body, frozen=True, kw_only=True):
    csv: Annotated[
        str,
        Meta(
            max_length=CSV_LENGTH,
            description="A line of column names (name, display_name, email, password, role), then a line "
            "for each account.",
            examples=["name,display_name\nteam-01,Team One\n"],
        ),
    ]
    dry_run: Annotated[bool, Meta(description="Tell what would happen; write nothing.")] = False
    game_id: Annotated[
        UUID | None, Meta(description="Sign all of them up for this contest; its admins may do so.")
    ] = None


class PasswordReplacement(Body, frozen=True, kw_only=True):
    password: Password
    new_password: NewPassword


class NewInvitation(Body, frozen=True, kw_only=True):
    uses: Annotated[int, Meta(ge=1, le=10_000)] = 1
    expires_at: datetime | None = None
    note: Annotated[str, Meta(max_length=200, examples=["class of 2026"])] = ""


class Login(Body, frozen=True, kw_only=True):
    login: Annotated[
        str, Meta(min_length=1, max_length=254, description="Name or e-mail address.", examples=["ada"])
    ]
    password: Password
    transport: Transport = "bearer"


RefreshToken = Annotated[str, Meta(max_length=1024, description="Browsers leave it out and send the cookie.")]


class RefreshBody(Body, frozen=True, kw_only=True):
    refresh_token: RefreshToken | None = None


class LogoutBody(Body, frozen=True, kw_only=True):
    refresh_token: RefreshToken | None = None
    everywhere: Annotated[bool, Meta(description="End every session of the account.")] = False


class PasswordChange(Body, frozen=True, kw_only=True):
    email: Email
    captcha: Captcha
    new_password: NewPassword


class ProfileEdit(Body, frozen=True, kw_only=True):
    display_name: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    bio: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    avatar: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET


class RoleChange(Body, frozen=True, kw_only=True):
    role: GrantedRole


class StatusChange(Body, frozen=True, kw_only=True):
    status: SettableStatus
    reason: Reason = ""


class TokenScope(StrEnum):
    READ = "read"
    SUBMIT = "submit"
    MANAGE = "manage"
    ADMIN = "admin"


class NewApiToken(Body, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["editor plugin"])]
    scopes: Annotated[list[TokenScope], Meta(min_length=1, max_length=4)]
    expires_at: datetime | None = None
