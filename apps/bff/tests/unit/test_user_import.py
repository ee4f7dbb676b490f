"""Many accounts from a list."""

from __future__ import annotations

from uuid import uuid4

import httpx
import pytest

from apps.bff.tests.fakes import Signer, ToldServices
from deepoj_bff.inbound.http.account_list import MOST_ROWS, account_lines
from deepoj_bff.inbound.http.errors import ApiError
from deepoj_bff.queries.services import Call
from deepoj_bff.queries.views.contest import Enrolment, Enrolments, Newcomer
from deepoj_bff.queries.views.user import Creation, CreationOutcome, Creations
from deepoj_domain.kernel.role import Role
from deepoj_kit.grpc import Kind, RemoteError


def test_a_list_is_read_in_the_dialects_of_spreadsheets() -> None:
    for text in (
        'name,display_name,role\nteam-01,"One, first",setter\n',
        "\ufeffname;display_name;role\r\nteam-01;One, first;setter\r\n",
        "Name\tDisplay_Name\tRole\nteam-01\tOne, first\tSetter",
    ):
        (line,) = account_lines(text)
        assert (line.line, line.name, line.display_name, line.role, line.refusal) == (
            2,
            "team-01",
            "One, first",
            "setter",
            "",
        )


@pytest.mark.parametrize(
    "text", ["", "team-01\n", "name,phone\na,b\n", "name,name\na,b\n", "display_name\nx\n"]
)
def test_a_text_without_column_names_is_refused(text: str) -> None:
    with pytest.raises(ApiError) as refused:
        account_lines(text)
    assert refused.value.reason == "columns_malformed"


def test_a_line_that_cannot_be_read_is_refused_by_itself() -> None:
    lines = account_lines("name,role\na1b,\nccc,king\n\nddd\nA1B,setter\neee,judge\n")
    assert [(each.line, each.refusal) for each in lines] == [
        (2, ""),
        (3, "role_unknown"),
        (5, "columns_malformed"),
        (6, "name_repeated"),
        (7, ""),
    ]


def test_a_list_has_an_end() -> None:
    with pytest.raises(ApiError) as refused:
        account_lines("name\n" + "\n".join(f"t{number}" for number in range(MOST_ROWS + 1)))
    assert refused.value.reason == "too_many_rows"
    with pytest.raises(ApiError) as broken:
        account_lines('name\n"never closed\n')
    assert broken.value.reason == "csv_malformed"


@pytest.fixture
def making(services: ToldServices, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let user make whatever is asked for, except `taken`; give the sizes of what it was asked for."""
    sizes: list[int] = []
    told = ToldServices.call

    async def call(
        self: ToldServices, call: Call[Creations], body: object = None, /, **fields: object
    ) -> object:
        if call.method != "CreateAccounts":
            return await told(self, call, body, **fields)  # type: ignore[arg-type]  # passed on as it came
        wanted = fields["accounts"]
        assert isinstance(wanted, list)
        sizes.append(len(wanted))
        return Creations(
            creations=[
                Creation(
                    outcome=CreationOutcome.EXISTS if each.name == "taken" else CreationOutcome.CREATED,
                    reason="",
                    account_id="" if fields["dry_run"] else str(each.account_id),
                    password="" if each.password or fields["dry_run"] else "abcd-efgh",
                )
                for each in wanted
            ]
        )

    monkeypatch.setattr(type(services), "call", call)
    return sizes


async def test_an_admin_imports_in_parts_and_is_told_of_each_line(
    client: httpx.AsyncClient, signer: Signer, making: list[int]
) -> None:
    text = "name,password\ntaken,\nchosen,a password\n" + "".join(f"t{number},\n" for number in range(60))
    answer = await client.post("/api/users/import", json={"csv": text}, headers=signer.headers(Role.ADMIN))
    body = answer.json()
    assert (answer.status_code, body["created"], body["refused"]) == (200, 61, 0)
    assert making == [50, 12]
    first, second, third = body["items"][:3]
    assert (first["line"], first["outcome"], first["enrolled"]) == (2, "exists", None)
    assert (second["password"], third["password"]) == (None, "abcd-efgh")
    assert "a password" not in answer.text


async def test_a_dry_run_is_passed_on(client: httpx.AsyncClient, signer: Signer, making: list[int]) -> None:
    del making
    answer = await client.post(
        "/api/users/import",
        json={"csv": "name\nada\n", "dry_run": True},
        headers=signer.headers(Role.ADMIN),
    )
    (item,) = answer.json()["items"]
    assert (item["outcome"], item["password"], item["user_id"]) == ("created", None, None)


async def test_without_a_contest_only_admins_import(client: httpx.AsyncClient, signer: Signer) -> None:
    for role in (Role.SETTER, Role.JUDGE):
        answer = await client.post(
            "/api/users/import", json={"csv": "name\nada\n"}, headers=signer.headers(role)
        )
        assert (answer.status_code, answer.json()["reason"]) == (403, "role_required")


@pytest.mark.parametrize(
    ("refusal", "enrolled", "reason"),
    [
        (None, True, None),
        ("already_signed_up", True, None),
        ("already_ended", False, "already_ended"),
    ],
)
async def test_the_admins_of_a_contest_import_into_it(
    *,
    client: httpx.AsyncClient,
    services: ToldServices,
    signer: Signer,
    making: list[int],
    refusal: str | None,
    enrolled: bool,
    reason: str | None,
) -> None:
    del making
    services.answers["game", "Enrol"] = Enrolments(enrolments=[Enrolment(account_id="", refused=refusal)])
    body = {"csv": "name,display_name\nteam-01,Team One\n", "contest_id": str(uuid4())}
    answer = await client.post("/api/users/import", json=body, headers=signer.headers(Role.SETTER))
    (item,) = answer.json()["items"]
    assert (item["enrolled"], item["reason"], item["password"]) == (enrolled, reason, "abcd-efgh")
    checked, asked = [fields["newcomers"] for _, method, fields in services.asked if method == "Enrol"]
    assert (checked, asked) == ([], [Newcomer(account_id=item["user_id"], display_name="Team One")])


async def test_who_does_not_administer_a_contest_imports_nothing(
    client: httpx.AsyncClient, services: ToldServices, signer: Signer, making: list[int]
) -> None:
    services.answers["game", "Enrol"] = RemoteError(Kind.FORBIDDEN, "not_allowed", "not for you")
    body = {"csv": "name\nada\n", "contest_id": str(uuid4())}
    answer = await client.post("/api/users/import", json=body, headers=signer.headers(Role.SETTER))
    assert (answer.status_code, answer.json()["reason"], making) == (403, "not_allowed", [])
