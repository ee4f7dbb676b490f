"""`deepoj login`."""

from __future__ import annotations

import sys

import click

from deepoj.client.api import Api
from deepoj.client.saved import Credential
from deepoj.client.wire import User
from deepoj.console import ask_secret, out, print_json
from deepoj.errors import Exit, Failure
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import API_TOKEN, connected, server_option


@click.command(
    name="login",
    help=help_text(
        "Log in to a server and remember it, with a name or e-mail address and a password.\n\n"
        "The password is asked for, or read from standard input when that is not a terminal. With --token an "
        "API token is read instead. What is remembered is readable for you alone. A script needs no log-in: "
        f"it sets {API_TOKEN}.",
        examples=(
            "deepoj login ada --server judge.example.org",
            "deepoj login ada < password.txt",
            "deepoj login --token < token.txt",
        ),
        exits={
            Exit.OK: "logged in",
            Exit.NOT_SIGNED_IN: "name, password or token are wrong",
            Exit.LATER: "too many tries",
            Exit.UNREACHABLE: "the server cannot be reached",
        },
    ),
)
@click.argument("name", required=False)
@server_option
@click.option("--token", "with_token", is_flag=True, help="Read an API token instead of a password.")
@json_option
def command(name: str | None, server: str | None, *, with_token: bool, as_json: bool) -> None:
    with connected(server) as api:
        user = _with_token(api) if with_token else _with_password(api, name)
        if as_json:
            print_json({"server": api.server, "name": user.name, "role": user.role})
        else:
            out().print(f"logged in to {api.server} as {user.name} ({user.role})", markup=False)


def _with_password(api: Api, name: str | None) -> User:
    login = name or (click.prompt("name or e-mail address") if sys.stdin.isatty() else "")
    if not login:
        raise Failure("whose password is this? deepoj login NAME", Exit.USAGE)
    return api.log_in(login, ask_secret("password")).user


def _with_token(api: Api) -> User:
    token = ask_secret("API token")
    api.identity.credential = Credential(api_token=token)
    user = api.get("/api/users/me", User)
    api.identity.keep(Credential(name=user.name, api_token=token))
    return user
