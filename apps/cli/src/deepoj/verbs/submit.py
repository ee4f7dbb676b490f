"""`deepoj submit`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import click
import msgspec

from deepoj.client.answers import answers_of
from deepoj.client.api import Api
from deepoj.client.follow import exit_code, progress_on, watch
from deepoj.client.languages import any_language, guess
from deepoj.client.submission_display import show
from deepoj.client.wire import Languages, ProblemDetail, Submitted
from deepoj.console import err, out, print_json
from deepoj.errors import Exit, Failure
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option


@click.command(
    name="submit",
    help=help_text(
        "Submit FILE, or standard input for -, as a solution of PROBLEM (its slug or id).\n\n"
        "The language follows from the name of the file unless --language says it. A network that fails is "
        "tried again without submitting twice; --key makes that hold for a script that starts again.\n\n"
        "A .zip is for a problem that takes answers: it holds a file for each case, named like it.",
        examples=(
            "deepoj submit two-sum solution.cpp --watch",
            "deepoj submit two-sum - --language python3 < solution.py",
            "deepoj submit outputs-only answers.zip --watch",
            "deepoj submit two-sum main.rs --contest 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
        ),
        exits={
            Exit.OK: "submitted; with --watch: accepted",
            Exit.FAILED: "with --watch: another verdict",
            Exit.USAGE: "the language cannot be guessed, or the file cannot be read",
            Exit.NOT_SIGNED_IN: "log in first",
            Exit.REFUSED: "there is no such problem, or it does not take this",
            Exit.LATER: "too much at once",
        },
    ),
)
@click.argument("problem")
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False, exists=True))
@click.option("-l", "--language", help="Such as cpp20 or python3.")
@click.option("--contest", metavar="ID", help="Submit in this contest.")
@click.option("-w", "--watch", "wait", is_flag=True, help="Wait for the verdict.")
@click.option(
    "--key", default=None, help="The same key and file are the same submission. [default: a new one]"
)
@server_option
@json_option
def command(
    *,
    problem: str,
    file: str,
    language: str | None,
    contest: str | None,
    wait: bool,
    key: str | None,
    server: str | None,
    as_json: bool,
) -> None:
    source = _source(file)
    with connected(server) as api:
        found = api.get(f"/api/problems/{problem}", ProblemDetail, {"contest_id": contest})
        slug = language or _guessed(api, file, found.languages)
        body = {"problem_id": found.id, "contest_id": contest, "language": slug, "source": source}
        made = api.post(
            "/api/submissions",
            Submitted,
            body,
            headers={"idempotency-key": key or str(uuid4())},
            repeatable=True,
        )
        if not wait:
            _say(made, found.title, as_json=as_json)
            return
        with progress_on(err()) as progress:
            final = watch(api, made.submission_id, progress)
        if as_json:
            print_json(msgspec.to_builtins(final))
        else:
            show(out(), final)
        sys.exit(exit_code(final))


def _source(file: str) -> str:
    if _is_answers(file):
        return answers_of(Path(file))
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Failure(
            f"{file} is not a text in UTF-8 ({error.reason} at {error.start})", Exit.USAGE
        ) from error


def _is_answers(file: str) -> bool:
    return file.lower().endswith(".zip")


def _guessed(api: Api, file: str, allowed: Sequence[str]) -> str:
    if file == "-":
        raise Failure("standard input has no name to guess a language from: add --language", Exit.USAGE)
    languages = api.get("/api/languages", Languages).items
    if _is_answers(file):
        return any_language(languages, allowed)
    slug = guess(file, languages, allowed)
    err().print(f"language {slug}, by the name of the file", markup=False)
    return slug


def _say(made: Submitted, title: str, *, as_json: bool) -> None:
    if as_json:
        print_json(msgspec.to_builtins(made))
        return
    what = "was submitted before" if made.repeated else "submitted"
    out().print(f"{what}: {title}\nfollow it: deepoj status {made.submission_id} --watch", markup=False)
