"""`deepoj up` as it is, but with toy services and one small migration. Arguments: DATA [PORT]."""

import sys
from dataclasses import replace
from pathlib import Path

import psycopg

from deepoj.cli import Sentence
from deepoj.errors import Failure
from deepoj.stack.database import Migrations
from deepoj.stack.services import SERVICES
from deepoj.stack.up import Options, Stack
from deepoj.verbs.up import start

TOY = Path(__file__).with_name("toy_service.py")


def migrate(url: str) -> None:
    with psycopg.connect(url) as connection:
        for schema in ("record", "user"):
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            connection.execute(f'CREATE TABLE IF NOT EXISTS "{schema}".kept (id int PRIMARY KEY)')


def main() -> None:
    data, port, *_ = (*sys.argv[1:], "0")
    services = tuple(
        replace(each, argv=(sys.executable, "-I", "-S", str(TOY), each.app)) for each in SERVICES
    )
    try:
        stack = Stack(services, Migrations(migrate, lambda: "toy"))
        code = int(start(stack, Path(data), Options("127.0.0.1", int(port), ephemeral=False)))
    except Failure as failure:
        sentence = Sentence(failure)
        sentence.show()
        code = sentence.exit_code
    sys.exit(code)


if __name__ == "__main__":
    main()
