"""Every route × every person × every phase, with the whole system up. A route without a row fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from tests.e2e.authorisation.conftest import World

PEOPLE: Final = ("guest", "stranger", "rival", "author", "setter", "judge", "jury", "owner", "admin")
PHASES: Final = ("before", "running", "frozen", "ended", "over")
# A status; or the reason of a refusal, where its status is also that of another.
Cells = tuple[int | str, ...]
C: Final = "/api/contests/{contest_id}"
SPARE: Final = "/api/contests/{spare}"
P: Final = "/api/problems/{problem}"
S: Final = "/api/submissions/{submission_id}"
# No contest and no problem has come so far: whoever may change it is told to read it again.
VERSION: Final = 2**40
DRAFT: Final = {
    "title": "Never",
    "format": "icpc",
    "schedule": {"starts_at": "2001-01-01T00:00:00Z", "ends_at": "2001-01-02T00:00:00Z"},
}
TEXT: Final = {"slug": "never", "statements": [{"locale": "en", "title": "Never", "markdown": "Never."}]}
SUBMISSION: Final = {"problem_id": "{problem_id}", "language": "c11", "source": "int main;"}
RUN: Final = {"language": "none-such", "source": "x"}
SAMPLE: Final = {"problem_id": "{problem_id}", "number": 1000}
INTERVAL: Final = {"interval": {"from": "2001-01-01T00:00:00Z", "before": "2001-01-01T00:00:01Z"}}
NOTE: Final = {"text": "?", "problem_id": "{unknown}"}
ZIP: Final = {"content": b"no package", "headers": {"content-type": "application/zip"}}
# Of dead letters, and nobody's.
GROUP: Final = "0" * 32
FILE: Final = {"content": b"", "headers": {"content-type": "application/octet-stream"}}


@dataclass(frozen=True)
class Row:
    answers: Mapping[str, Cells]
    """By place. What is allowed is refused later, by what the request is about, and so changes nothing."""
    path: str = ""
    """The request, where it differs from the route: other placeholders, or a query."""
    more: Mapping[str, Any] = field(default_factory=dict)


def cells(others: int | str, *, guest: int | str = 401, **some: int | str) -> Cells:
    return tuple(some.get(who, guest if who == "guest" else others) for who in PEOPLE)


def everybody(cell: int | str) -> Cells:
    return cells(cell, guest=cell)


def allowed(cell: int | str, *who: str, otherwise: int | str = 403, guest: int | str = 401) -> Cells:
    return cells(otherwise, guest=guest, **dict.fromkeys(who, cell))


def of_contest(usual: Cells, *, private: Cells, **phases: Cells) -> dict[str, Cells]:
    """Tell what happens in each phase, in a private contest, and about an id that was guessed."""
    nothing = cells(404, guest=401 if usual[0] == 401 else 404)
    return {**dict.fromkeys(PHASES, usual), "private": private, "nothing": nothing, **phases}


def outside(staff: int | str, **inside: int | str) -> Cells:
    """Tell what those inside a private contest hear; for the others there is none."""
    return cells(404, **dict.fromkeys(("jury", "owner", "admin"), staff), **inside)


ADMINISTER: Final = ("owner", "admin")
STAFF: Final = ("jury", "owner", "admin")
INSIDE: Final = ("rival", "author", *STAFF)
# Who is told anything about a private contest.
SHOWN: Final = allowed(200, *INSIDE, otherwise=404, guest=404)
READ: Final = of_contest(everybody(200), private=SHOWN)
BOARD: Final = of_contest(
    everybody(200), private=SHOWN, before=allowed(200, *STAFF, otherwise=409, guest=409)
)


def administered(cell: int | str, **phases: Cells) -> dict[str, Cells]:
    private = cells(404, rival=403, author=403, jury=403, owner=cell, admin=cell)
    return of_contest(allowed(cell, *ADMINISTER), private=private, **phases)


def staffed(cell: int | str, **phases: Cells) -> dict[str, Cells]:
    private = cells(404, rival=403, author=403, jury=cell, owner=cell, admin=cell)
    return of_contest(allowed(cell, *STAFF), private=private, **phases)


CONTESTS: Final = {
    "GET /api/contests": Row({"nothing": everybody(200)}),
    "POST /api/contests": Row(
        {"nothing": allowed(201, "setter", "judge", *ADMINISTER)}, more={"json": DRAFT}
    ),
    f"GET {C}": Row(READ),
    f"PUT {C}": Row(administered(409), more={"json": {"version": VERSION, "draft": DRAFT}}),
    f"DELETE {C}": Row(administered(409), f"{C}?version={VERSION}"),
    f"POST {C}/extend": Row(administered("extension_not_positive"), more={"json": {"by_ms": 0}}),
    f"POST {C}/unfreeze": Row(
        administered(
            "not_ended",
            ended=cells(403, owner=200, admin="not_frozen"),
            over=allowed("not_frozen", *ADMINISTER),
        ),
        f"{SPARE}/unfreeze",
    ),
    f"POST {C}/finalize": Row(
        administered(
            "not_ended",
            ended=cells(403, owner=200, admin="already_finalized"),
            over=allowed("already_finalized", *ADMINISTER),
        ),
        f"{SPARE}/finalize",
    ),
    f"POST {C}/reopen": Row(administered("not_finalized"), more={"json": {"reason": "a test"}}),
    f"POST {C}/restored-intervals": Row(administered("not_removed"), more={"json": INTERVAL}),
    f"POST {C}/restored-intervals?dry_run=1": Row(administered("not_removed"), more={"json": INTERVAL}),
    f"POST {C}/removed-intervals?dry_run=1": Row(administered("interval_outside"), more={"json": INTERVAL}),
    f"POST {C}/extend?dry_run=1": Row(administered("extension_not_positive"), more={"json": {"by_ms": 0}}),
    f"PUT {C}/submissions/{{submission_id}}/ignored?dry_run=1": Row(
        administered("not_ignored", before=allowed(404, *ADMINISTER)), more={"json": {"ignored": False}}
    ),
    f"GET {C}/undecided": Row(staffed(200)),
    f"GET {C}/ignored": Row(staffed(200)),
    f"GET {C}/rulings": Row(staffed(200)),
    f"GET {C}/work": Row(staffed(200)),
    f"GET {C}/work/{{work_id}}": Row(staffed(404), f"{C}/work/{{unknown}}"),
    f"POST {C}/removed-intervals": Row(administered("interval_outside"), more={"json": INTERVAL}),
    f"PUT {C}/submissions/{{submission_id}}/ignored": Row(
        administered("not_ignored", before=allowed(404, *ADMINISTER)), more={"json": {"ignored": False}}
    ),
    f"POST {C}/recompute": Row(administered(202)),
    # It is a rejudge of something else: who runs the contest is told nothing of it.
    f"GET {C}/rejudges/{{rejudge_id}}/preview": Row(
        of_contest(
            cells(403, guest=401, jury=404, owner=404, admin=200),
            private=cells(404, rival=403, author=403, admin=200),
        )
    ),
    f"GET {C}/participants": Row(READ),
    f"GET {C}/participants?search=a": Row(READ),
    f"POST {C}/participants/import": Row(administered(200), more={"json": {"names": ["nobody-has-this"]}}),
    f"POST {C}/participants": Row(
        of_contest(
            cells("virtual_not_allowed", rival="already_signed_up", author="already_signed_up"),
            private=outside("virtual_not_allowed", rival="already_signed_up", author="already_signed_up"),
        ),
        more={"json": {"display_name": "Me", "virtual": True}},
    ),
    f"DELETE {C}/participants/me": Row(
        of_contest(
            cells("not_a_participant", rival="withdrawal_closed", author="withdrawal_closed"),
            private=outside("not_a_participant", rival="withdrawal_closed", author="withdrawal_closed"),
            before=cells("not_a_participant", rival=204, author=204),
            ended=cells("not_a_participant", rival="already_ended", author="already_ended"),
            over=cells("not_a_participant", rival="already_ended", author="already_ended"),
        ),
        f"{SPARE}/participants/me",
    ),
    f"DELETE {C}/participants/{{user_id}}": Row(
        administered("not_a_participant"), f"{C}/participants/{{unknown}}"
    ),
    f"PATCH {C}/participants/{{user_id}}": Row(
        administered("not_a_participant"), f"{C}/participants/{{unknown}}", {"json": {"kind": "hidden"}}
    ),
    f"GET {C}/clarifications": Row(READ),
    f"POST {C}/clarifications": Row(
        of_contest(
            allowed(409, "rival", "author"),
            private=outside(403, rival=409, author=409),
        ),
        more={"json": NOTE},
    ),
    f"PUT {C}/clarifications/{{clarification_id}}/answer": Row(
        staffed(200, before=allowed(404, *STAFF)), more={"json": {"answer": "No."}}
    ),
    f"POST {C}/broadcasts": Row(staffed(409), more={"json": NOTE}),
    f"GET {C}/problems/{{problem_id}}/entry": Row(
        of_contest(
            allowed(200, "rival", "author"),
            private=cells(404, rival=200, author=200, jury=403, owner=403, admin=403),
            before=allowed(409, "rival", "author"),
            ended=allowed(409, "rival", "author"),
            over=allowed(409, "rival", "author"),
        )
    ),
}
FULL: Final = of_contest(
    allowed(200, *STAFF, guest=403),
    private=cells(404, guest=404, rival=403, author=403, jury=200, owner=200, admin=200),
)
BOARDS: Final = {
    f"GET {C}/events": Row(BOARD),
    "GET /api/events?contest={contest_id}": Row(BOARD),
    "GET /api/events?view=admin&contest={contest_id}": Row(FULL),
    f"GET {C}/scoreboard": Row(BOARD),
    f"GET {C}/scoreboard/export": Row(BOARD),
    f"GET {C}/scoreboard/compact": Row(BOARD),
    f"GET {C}/scoreboard/{{user_id}}": Row(BOARD),
    f"GET {C}/scoreboard/{{user_id}}/explain": Row(
        of_contest(
            allowed(200, "author", *STAFF, guest=403),
            private=cells(404, guest=404, rival=403, **dict.fromkeys(("author", *STAFF), 200)),
            before=allowed(200, *STAFF, otherwise=409, guest=409),
            over=everybody(200),
        )
    ),
    f"GET {C}/events?view=admin": Row(FULL),
    f"GET {C}/scoreboard?view=admin": Row(FULL),
    f"GET {C}/scoreboard/export?view=admin": Row(FULL),
    f"GET {C}/scoreboard/compact?view=admin": Row(FULL),
    f"GET {C}/scoreboard?view=own": Row(
        of_contest(
            allowed(200, *INSIDE, guest=403),
            private=SHOWN,
            before=cells(403, guest=403, rival=409, author=409, jury=200, owner=200, admin=200),
        )
    ),
}
SEES_HIDDEN: Final = allowed(200, "judge", "owner", "admin", otherwise=404, guest=404)
EDITS: Final = ("owner", "admin")


def edited(cell: int | str, *, nothing: int | str = 404) -> dict[str, Cells]:
    """Contestants are turned away at the door, whatever it is about."""
    return {
        "published": allowed(cell, *EDITS),
        "hidden": cells(403, setter=404, owner=cell, admin=cell),
        "nothing": allowed(nothing, "setter", "judge", *EDITS),
    }


def in_contest(cell: int | str) -> dict[str, Cells]:
    """Read an unpublished problem as one of a contest."""
    inside = allowed(cell, *INSIDE, "judge", otherwise=404, guest=404)
    return of_contest(
        inside,
        private=inside,
        before=allowed(cell, *STAFF, "judge", otherwise=404, guest=404),
        ended=everybody(cell),
        over=everybody(cell),
    )


INSPECTED: Final = {
    "published": allowed(200, "judge", *EDITS),
    "hidden": cells(403, setter=404, judge=200, owner=200, admin=200),
    "nothing": allowed(404, "setter", "judge", *EDITS),
}
MAKES: Final = ("setter", "judge", "owner", "admin")
PROBLEMS: Final = {
    "GET /api/problems": Row({"nothing": everybody(200)}),
    "GET /api/problems/tags": Row({"nothing": everybody(200)}),
    "POST /api/problems": Row({"nothing": allowed(400, *MAKES)}, more={"json": TEXT}),
    "POST /api/problems/import": Row({"nothing": allowed(400, *MAKES)}, more=ZIP),
    "POST /api/problems/import?dry_run=true": Row({"nothing": allowed(400, *MAKES)}, more=ZIP),
    "POST /api/problems/objects": Row({"nothing": allowed(201, *MAKES)}, more=FILE),
    f"GET {P}": Row({"published": everybody(200), "hidden": SEES_HIDDEN, "nothing": everybody(404)}),
    f"GET {P}?contest_id={{contest_id}}": Row(in_contest(200)),
    f"GET {P}/statement": Row(
        {"published": everybody(200), "hidden": SEES_HIDDEN, "nothing": everybody(404)}
    ),
    f"GET {P}/statement?contest_id={{contest_id}}": Row(in_contest(200)),
    f"GET {P}/statement?revision=1": Row(
        {
            "published": allowed(200, "judge", *EDITS, guest=403),
            "hidden": SEES_HIDDEN,
            "nothing": everybody(404),
        }
    ),
    f"PUT {P}": Row(edited(409), more={"json": {"version": VERSION, "draft": TEXT}}),
    f"PATCH {P}": Row(edited(409), more={"json": {"version": VERSION, "tags": ["never"]}}),
    f"DELETE {P}": Row(edited(409), f"{P}?version={VERSION}"),
    f"GET {P}/assets/{{name}}": Row(
        {"published": everybody(200), "hidden": SEES_HIDDEN, "nothing": everybody(404)}
    ),
    f"GET {P}/assets/{{name}}?contest_id={{contest_id}}": Row(in_contest(200)),
    f"GET {P}/statistics": Row(
        {"published": everybody(200), "hidden": SEES_HIDDEN, "nothing": everybody(404)}
    ),
    f"GET {P}/export": Row(INSPECTED),
    f"GET {P}/judging": Row(INSPECTED),
    f"GET {P}/cases/{{number}}/{{file}}": Row(INSPECTED, f"{P}/cases/1/input"),
    f"GET {P}/revisions": Row(INSPECTED),
    f"POST {P}/verify": Row(INSPECTED),
    f"POST {P}/import": Row(edited(400, nothing=400), more=ZIP),
    f"POST {P}/import?dry_run=true": Row(edited(400, nothing=400), more=ZIP),
    f"PUT {P}/published": Row(edited(200), more={"json": {"enabled": "{enabled}"}}),
}
OWN: Final = allowed(200, "author", "judge", *STAFF, otherwise=404)
# Between the end and the unfreezing nobody learns more than while it was frozen.
SUBMITTED: Final = {
    "published": cells(200), "running": OWN, "frozen": OWN, "ended": OWN, "over": cells(200), "private": OWN,
    "closed": allowed(200, "rival", "author", "judge", *STAFF, otherwise=404), "nothing": cells(404),
}  # fmt: skip
LOGS: Final = {
    "published": cells(403, **dict.fromkeys(("author", "judge", "owner", "admin"), 404)),
    "running": cells(404), "frozen": cells(404), "ended": cells(404), "private": cells(404),
    "over": cells(403, **dict.fromkeys(("author", "judge", *STAFF), 404)),
    "closed": cells(404, rival=403), "nothing": cells(404),
}  # fmt: skip
# A hidden case: not for who sent it, nor for those who judge without a right to the test data.
HELD_BACK: Final = cells(404, author=403, jury=403)
CASE_LOGS: Final = {
    "published": allowed(404, "judge", "owner", "admin"), "over": allowed(404, "judge", "owner", "admin"),
    "running": HELD_BACK, "frozen": HELD_BACK, "ended": HELD_BACK, "private": HELD_BACK,
    "closed": cells(404, rival=403, author=403, jury=403), "nothing": cells(404),
}  # fmt: skip
# Our machines are told the staff alone.
MANIFESTS: Final = {
    "published": allowed(404, "judge", "owner", "admin"), "over": allowed(404, "judge", *STAFF),
    "running": cells(404, author=403), "frozen": cells(404, author=403), "ended": cells(404, author=403),
    "private": cells(404, author=403), "closed": cells(404, rival=403, author=403), "nothing": cells(404),
}  # fmt: skip
CANCELLED: Final = cells(404, author=403, judge=403, admin=409)
SUBMISSIONS: Final = {
    "GET /api/languages": Row({"nothing": everybody(200)}),
    "POST /api/judge-hosts/join": Row(
        {"nothing": everybody("unknown_judge_host")}, more={"json": {"credential": "nobody's"}}
    ),
    "POST /api/runs": Row({"nothing": cells(400)}, more={"json": RUN}),
    # Whoever sees the problem learns that it has not so many samples, and nobody else that there is one.
    "POST /api/runs?on=sample": Row(
        {
            "published": cells("unknown_sample"),
            "hidden": cells("not_found", **dict.fromkeys(("judge", "owner", "admin"), "unknown_sample")),
            "nothing": cells("not_found"),
        },
        more={"json": {**RUN, "sample": SAMPLE}},
    ),
    "POST /api/runs?on=sample&of=contest": Row(
        of_contest(
            allowed("unknown_sample", *INSIDE, "judge", otherwise="not_found"),
            private=allowed("unknown_sample", *INSIDE, "judge", otherwise="not_found"),
            before=allowed("unknown_sample", *STAFF, "judge", otherwise="not_found"),
            ended=cells("unknown_sample"),
            over=cells("unknown_sample"),
        )
        | {"nothing": cells("not_found")},
        more={"json": {**RUN, "sample": SAMPLE | {"contest_id": "{contest_id}"}}},
    ),
    "GET /api/submissions": Row({"nothing": cells(200)}),
    "POST /api/submissions": Row(
        {
            "published": cells(400),
            "hidden": cells(404, judge=400, owner=400, admin=400),
            "nothing": cells(404),
        },
        more={"json": SUBMISSION},
    ),
    "POST /api/submissions?to=contest": Row(
        of_contest(
            allowed(400, "rival", "author"),
            private=cells(404, rival=400, author=400, jury=403, owner=403, admin=403),
            before=allowed(409, "rival", "author"),
            ended=allowed(409, "rival", "author"),
            over=allowed(409, "rival", "author"),
        ),
        more={"json": SUBMISSION | {"contest_id": "{contest_id}"}},
    ),
    "GET /api/submissions/events": Row({"nothing": cells(200)}),
    "GET /api/submissions/quota": Row({"nothing": cells(200)}),
    f"GET {S}": Row(SUBMITTED),
    f"GET {S}/events": Row(SUBMITTED),
    f"GET {S}/source": Row(SUBMITTED),
    f"GET {S}/explain": Row(
        SUBMITTED
        | {
            "published": allowed(200, "author", "judge", "owner", "admin"),
            "over": allowed(200, "author", "judge", *STAFF),
            "closed": cells(404, rival=403, **dict.fromkeys(("author", "judge", *STAFF), 200)),
        }
    ),
    # No submission has come to a ninth attempt: whoever may read its log is told that there is none.
    f"GET {S}/attempts/{{attempt}}/compile.log": Row(LOGS, f"{S}/attempts/9/compile.log"),
    f"GET {S}/attempts/{{attempt}}/cases/{{case_number}}/{{log}}": Row(
        CASE_LOGS, f"{S}/attempts/9/cases/1/stdout"
    ),
    f"GET {S}/attempts/{{attempt}}/manifest.json": Row(MANIFESTS, f"{S}/attempts/9/manifest.json"),
    f"POST {S}/replay": Row({"nothing": allowed(404, "judge", "admin")}),
    f"POST {S}/replay?worker": Row({"nothing": allowed(404, "judge", "admin")}, f"{S}/replay?worker=nobody"),
    f"POST {S}/cancel": Row(
        dict.fromkeys(("running", "frozen", "ended", "over", "private", "closed"), CANCELLED)
        | {"published": cells(404, author=409, judge=403, admin=409), "nothing": cells(404)}
    ),
}
FOR_ADMINS: Final = allowed(200, "admin")
FOR_JUDGES: Final = allowed(200, "judge", "admin")
USERS: Final = {
    "POST /api/auth/captchas": Row({"nothing": everybody(400)}, more={"json": {}}),
    "POST /api/auth/login": Row({"nothing": everybody(400)}, more={"json": {}}),
    "POST /api/auth/logout": Row({"nothing": everybody(204)}, more={"json": {}}),
    "POST /api/auth/password": Row({"nothing": everybody(400)}, more={"json": {}}),
    "POST /api/auth/refresh": Row({"nothing": everybody(401)}, more={"json": {"refresh_token": "none"}}),
    "POST /api/auth/register": Row({"nothing": everybody(400)}, more={"json": {}}),
    "POST /api/auth/guest": Row({"nothing": everybody("guest_accounts_off")}),
    "GET /api/site": Row({"nothing": everybody(200)}),
    "GET /api/events": Row({"nothing": everybody("nothing_to_follow")}),
    "GET /api/events?mine": Row({"nothing": cells(200)}, "/api/events?submissions=mine"),
    "GET /api/users": Row({"nothing": FOR_ADMINS}),
    "GET /api/users?id": Row({"account": everybody(200)}, "/api/users?id={user_id}"),
    "POST /api/users": Row({"nothing": allowed(400, "admin")}, more={"json": {}}),
    "POST /api/users/import": Row({"nothing": allowed(400, "admin")}, more={"json": {"csv": "nonsense"}}),
    "POST /api/users/import?contest": Row(
        {
            "running": cells(
                "role_required",
                **dict.fromkeys(("setter", "judge"), "not_allowed"),
                **dict.fromkeys(("owner", "admin"), "columns_malformed"),
            )
        },
        "/api/users/import",
        more={"json": {"csv": "nonsense", "contest_id": "{contest_id}"}},
    ),
    "POST /api/users/{user_id}/password": Row({"nothing": allowed(404, "admin")}),
    "POST /api/users/me/password": Row({"nothing": cells(400)}, more={"json": {}}),
    "GET /api/users/me/sessions": Row({"nothing": cells(200)}),
    "DELETE /api/users/me/sessions/{session_id}": Row({"nothing": cells(404)}),
    "GET /api/users/me": Row({"nothing": cells(200)}),
    "PATCH /api/users/me": Row({"nothing": cells(400)}, more={"json": {"nonsense": 1}}),
    "GET /api/users/by-name/{name}": Row({"account": everybody(200), "nothing": everybody(404)}),
    "GET /api/users/{user_id}": Row({"account": everybody(200), "nothing": everybody(404)}),
    "GET /api/users/{user_id}/statistics": Row({"account": everybody(200), "nothing": everybody(404)}),
    "GET /api/users/{user_id}/best/{problem_id}": Row({"published": cells(200), "nothing": cells(200)}),
    "PATCH /api/users/{user_id}": Row(
        {"account": FOR_ADMINS, "nothing": allowed(404, "admin")}, more={"json": {}}
    ),
    "DELETE /api/users/{user_id}": Row(
        {"account": allowed(204, "admin"), "nothing": allowed(404, "admin")}, "/api/users/{goner}"
    ),
    "PUT /api/users/{user_id}/role": Row(
        {"account": allowed(409, "admin"), "nothing": allowed(404, "admin")},
        more={"json": {"role": "contestant"}},
    ),
    "PUT /api/users/{user_id}/status": Row(
        {"account": allowed(409, "admin"), "nothing": allowed(404, "admin")},
        more={"json": {"status": "active"}},
    ),
    "GET /api/users/{user_id}/audit-log": Row(
        {"account": allowed(200, "author", "admin"), "nothing": FOR_ADMINS}
    ),
    "GET /api/users/me/tokens": Row({"nothing": cells(200)}),
    "POST /api/users/me/tokens": Row({"nothing": cells(400)}, more={"json": {}}),
    "DELETE /api/users/me/tokens/{token_id}": Row({"account": cells(404, author=204), "nothing": cells(404)}),
}
# By judges anywhere, and in a contest by who may change it.
REJUDGED: Final = dict.fromkeys((*PHASES, "private"), allowed(200, "judge", *ADMINISTER)) | {
    "nothing": FOR_JUDGES
}
ADMIN: Final = {
    "GET /api/admin/audit-log": Row({"nothing": FOR_ADMINS}),
    "GET /api/admin/dead-letters": Row({"nothing": FOR_ADMINS}),
    "GET /api/admin/dead-letters/groups": Row({"nothing": FOR_ADMINS}),
    f"GET /api/admin/dead-letters?group={GROUP}": Row({"nothing": FOR_ADMINS}),
    "POST /api/admin/dead-letters/replay": Row({"nothing": FOR_ADMINS}, more={"json": {"group": GROUP}}),
    "POST /api/admin/dead-letters/{submission_id}/replay": Row(
        {"published": allowed(409, "admin"), "nothing": allowed(404, "admin")}
    ),
    "GET /api/admin/quotas": Row({"nothing": FOR_ADMINS}),
    "GET /api/admin/limits": Row({"nothing": FOR_ADMINS}),
    "GET /api/admin/invitations": Row({"nothing": FOR_ADMINS}),
    "POST /api/admin/invitations": Row({"nothing": allowed(400, "admin")}, more={"json": {"uses": 0}}),
    "DELETE /api/admin/invitations/{invitation_id}": Row({"nothing": allowed(404, "admin")}),
    "GET /api/admin/now": Row({"nothing": FOR_ADMINS}),
    "GET /api/admin/events": Row({"nothing": FOR_ADMINS}),
    "GET /api/admin/queue": Row({"nothing": FOR_JUDGES}),
    "GET /api/admin/workers": Row({"nothing": FOR_JUDGES}),
    "GET /api/admin/workers/drained": Row({"nothing": FOR_JUDGES}),
    "POST /api/admin/workers/drain": Row(
        {"nothing": allowed("hand_back_after_malformed", "admin")},
        more={"json": {"name": "nobody", "hand_back_after_ms": 10**9}},
    ),
    "POST /api/admin/workers/resume": Row(
        {"nothing": allowed("not_drained", "admin")}, more={"json": {"name": "nobody"}}
    ),
    "GET /api/admin/attempts": Row({"nothing": FOR_JUDGES}),
    "GET /api/admin/rejudges": Row({"nothing": FOR_JUDGES}),
    "GET /api/admin/rejudges?contest_id={contest_id}": Row(REJUDGED),
    "POST /api/admin/rejudges?in=contest": Row(
        # Nothing was sent to it yet.
        {"before": allowed(404, "judge", *ADMINISTER)},
        more={"json": {"filter": {"contest_id": "{contest_id}"}}},
    ),
    "POST /api/admin/rejudges?of=submission": Row(
        # The id is that of the rejudge of the published one: there nothing new begins, elsewhere it is taken.
        {"published": allowed(201, "judge", "admin"), "running": allowed(409, "judge", *ADMINISTER)},
        more={"json": {"submission_id": "{submission_id}", "rejudge_id": "{rejudge_id}"}},
    ),
    "POST /api/admin/rejudges/count?in=contest": Row(
        REJUDGED, more={"json": {"filter": {"contest_id": "{contest_id}", "problem_id": "{problem_id}"}}}
    ),
    "POST /api/admin/rejudges": Row(
        {"nothing": allowed(404, "judge", "admin")}, more={"json": {"submission_id": "{submission_id}"}}
    ),
    "POST /api/admin/rejudges/count": Row(
        {"nothing": FOR_JUDGES}, more={"json": {"filter": {"problem_id": "{problem_id}"}}}
    ),
    "GET /api/admin/rejudges/{rejudge_id}": Row(
        {"published": FOR_JUDGES, "nothing": allowed(404, "judge", "admin")}
    ),
    "POST /api/admin/rejudges/{rejudge_id}/apply": Row({"nothing": allowed(404, "judge", "admin")}),
    "POST /api/admin/rejudges/{rejudge_id}/discard": Row({"nothing": allowed(404, "judge", "admin")}),
    "GET /api/health": Row({"nothing": everybody(200)}),
}
TABLE: Final = CONTESTS | BOARDS | PROBLEMS | SUBMISSIONS | USERS | ADMIN


def test_the_table_names_every_route(routes: set[str]) -> None:
    assert {row.partition("?")[0] for row in TABLE} == routes


@pytest.mark.parametrize("row", [row for row in TABLE if "{contest_id}" in row])
def test_what_belongs_to_a_contest_is_asked_for_in_every_phase(row: str) -> None:
    assert TABLE[row].answers.keys() == {*PHASES, "private", "nothing"}


@pytest.mark.parametrize("route", TABLE)
def test_each_route_answers_everybody_as_its_row_says(world: World, route: str) -> None:
    row, wrong = TABLE[route], []
    method, path = route.split(" ", 1)
    for place, expected in row.answers.items():
        for who, cell in zip(PEOPLE, expected, strict=True):
            found = world.ask(who, f"{method} {row.path or path}", place, **row.more)
            said = found.status if isinstance(cell, int) else found.body.get("reason", found.status)
            if said != cell:
                wrong.append(f"{place}, {who}: {found} instead of {cell}")
    assert not wrong, "\n".join(wrong)


def test_nothing_has_changed_by_what_was_refused(world: World) -> None:
    """After the whole table: no contest, problem or account is another than before."""
    for place, answers in world.state().items():
        for now, then in zip(answers, world.as_made[place], strict=True):
            # A refusal names its request.
            same = now.body == then.body if then.status == 200 else now.status == then.status
            assert same, place
