"""Options of the commands that speak to a server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import click

from deepoj.client.api import Api
from deepoj.client.saved import default_file
from deepoj.errors import Exit, Failure

API_TOKEN = "DEEPOJ_API_TOKEN"  # noqa: S105 — the variable's name
SERVER = "DEEPOJ_SERVER"

server_option = click.option(
    "--server",
    metavar="URL",
    help=f"The server; else {SERVER}, else where you logged in last, else this machine.",
)


@contextmanager
def connected(server: str | None) -> Iterator[Api]:
    saved = default_file()
    api = Api(server_url(server or os.environ.get(SERVER) or saved.read().server), saved, _token())
    try:
        yield api
    finally:
        api.close()


def server_url(text: str) -> str:
    """Take `judge.example.org` for https and a bare local address for http."""
    if "://" not in text:
        host = text.partition(":")[0].partition("/")[0]
        text = f"{'http' if host in {'localhost', '127.0.0.1'} else 'https'}://{text}"
    with suppress(ValueError):  # what is no address cannot be taken apart
        parts = urlsplit(text)
        if parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0:
            return f"{parts.scheme}://{parts.netloc}"
    raise Failure(f"{text} is not the address of a server, such as https://judge.example.org", Exit.USAGE)


def _token() -> str:
    return os.environ.get(API_TOKEN, "")
