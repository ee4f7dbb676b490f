"""What is in an answer that everybody gets: lists leave out, and frozen boards hide, what is not for all."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from tests.e2e.authorisation.conftest import Answer, World
    from tests.e2e.conftest import System

# What came over the wire.
Json = Any
SIGNED_IN: Final = frozenset({"stranger", "rival", "author", "setter", "judge", "jury", "owner", "admin"})
EVERYBODY: Final = SIGNED_IN | {"guest"}
STAFF: Final = frozenset({"jury", "owner", "admin"})
INSIDE: Final = STAFF | {"rival", "author"}
OWN: Final = STAFF | {"author", "judge"}
C: Final = "GET /api/contests/{contest_id}"
# A list and the thing of the author or owner that it is about → who finds it there, by place
LISTS: Final = {
    ("GET /api/contests?search={title}", "contest_id"): {
        "before": EVERYBODY, "running": EVERYBODY, "private": INSIDE, "closed": INSIDE,
    },
    ("GET /api/problems?search={slug}", "problem_id"): {
        "published": EVERYBODY, "hidden": frozenset({"judge", "owner", "admin"}),
    },
    ("GET /api/submissions?contest_id={contest_id}", "submission_id"): {
        "running": OWN, "frozen": OWN, "ended": OWN, "over": SIGNED_IN, "private": OWN,
        "closed": OWN | {"rival"},
    },
    ("GET /api/submissions?contest_id={contest_id}&verdict=AC", "submission_id"): {
        "frozen": OWN, "ended": OWN, "over": SIGNED_IN,
    },
    # Across contests an account sees its own, and the staff of the site all.
    ("GET /api/submissions?user_id={user_id}", "submission_id"): {
        "running": OWN - {"jury", "owner"}, "ended": OWN - {"jury", "owner"},
    },
    (f"{C}/clarifications", "clarification_id"): {
        "running": STAFF | {"author"}, "ended": STAFF | {"author"}, "over": STAFF | {"author"},
    },
}  # fmt: skip


@pytest.mark.parametrize(("route", "thing"), LISTS)
def test_a_list_holds_what_its_reader_may_see(world: World, route: str, thing: str) -> None:
    for place, expected in LISTS[route, thing].items():
        wanted = world.places[place][thing]
        answers = {who: world.ask(who, route, place) for who in world.people}
        found = {
            who
            for who, answer in answers.items()
            if answer.status == 200 and wanted in {each["id"] for each in answer.body["items"]}
        }
        assert found == expected, place


def of_board(answer: Answer, user_id: str) -> Json:
    rows = {row["participant"]["user_id"]: row for row in answer.body["items"]}
    return rows[user_id]["solved"], rows[user_id]["cells"][0]["pending"]


def of_row(answer: Answer, user_id: str) -> Json:
    del user_id
    return answer.body["row"]["solved"], answer.body["row"]["cells"][0]["pending"]


def of_table(answer: Answer, user_id: str) -> Json:
    rows = {row["account_id"]: row for row in csv.DictReader(answer.body.splitlines())}
    return int(rows[user_id]["solved"]), int(rows[user_id]["A_pending"])


def of_document(answer: Answer, user_id: str) -> Json:
    rows = {row["account_id"]: row for row in answer.body["rows"]}
    return rows[user_id]["solved"], rows[user_id]["cells"]["A"]["pending"]


def of_compact(answer: Answer, user_id: str) -> Json:
    rows = {row[1]: row for row in answer.body["rows"]}
    cell = rows[user_id][-1][0] + [0, 0]
    return rows[user_id][4], cell[1]


ACCEPTED, PENDING = (1, 0), (0, 1)
# A way to the author's row, how to read it, and who is shown its verdict while the board is frozen
WAYS: Final[dict[str, tuple[Callable[[Answer, str], Json], frozenset[str]]]] = {
    f"{C}/scoreboard": (of_board, frozenset()),
    f"{C}/scoreboard?view=frozen": (of_board, frozenset()),
    f"{C}/scoreboard/export": (of_table, frozenset()),
    f"{C}/scoreboard/export?format=json": (of_document, frozenset()),
    f"{C}/scoreboard/compact": (of_compact, frozenset()),
    f"{C}/scoreboard/{{user_id}}": (of_row, STAFF | {"author"}),
}


@pytest.mark.parametrize("place", ["frozen", "ended", "over"])
@pytest.mark.parametrize("way", WAYS)
def test_no_way_leads_around_a_frozen_board(system: System, world: World, way: str, place: str) -> None:
    read, told = WAYS[way]
    author = world.people["author"].id
    row = f"{C}/scoreboard/{{user_id}}"
    system.eventually(lambda: of_row(world.ask("owner", row, place), author) == ACCEPTED)
    unfrozen = place == "over" and "view=frozen" not in way
    for who in world.people:
        expected = ACCEPTED if unfrozen or who in told else PENDING
        assert read(world.ask(who, way, place), author) == expected, who


@pytest.mark.parametrize("place", ["frozen", "ended", "over"])
def test_a_stream_begins_with_the_board_that_its_reader_may_see(world: World, place: str) -> None:
    things = world.places[place]
    views = {"guest": "public", "rival": "own", "author": "own", "owner": "admin"}
    for who, view in views.items():
        stream = world.people[who].events(f"/contests/{things['contest_id']}/events?view={view}")
        _, _, board = next(stream)
        stream.close()
        (row,) = [each for each in board["items"] if each["participant"]["user_id"] == things["user_id"]]
        seen = place == "over" or who in {"author", "owner"}
        assert (row["solved"], row["cells"][0]["pending"]) == (ACCEPTED if seen else PENDING), who


def test_nobody_joins_a_private_contest_uninvited(world: World) -> None:
    sign_up = "POST /api/contests/{contest_id}/participants"
    told = dict.fromkeys(("stranger", "setter", "judge"), (404, "not_found")) | {
        "jury": (403, "access_denied")
    }
    for who, expected in told.items():
        refused = world.ask(who, sign_up, "private", json={"display_name": "Me"})
        assert (refused.status, refused.body["reason"]) == expected, who
    listed = world.ask("owner", f"{C}/participants", "private").body["items"]
    assert {each["user_id"] for each in listed} == {world.people[who].id for who in ("rival", "author")}
