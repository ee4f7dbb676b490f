"""`deepoj worker join`."""

from __future__ import annotations

import os
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.markup import escape

from deepoj.console import err, out, print_json
from deepoj.doctor.toolchains import languages
from deepoj.errors import Exit, Failure
from deepoj.isolation import REMEDY, Isolation, probe_isolation
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import server_url
from deepoj.worker.join import HostSettings, ask, read_token
from deepoj.worker.settings_file import default_home, settings_option, worker_environ, write_settings
from deepoj.worker.unit import write_unit

if TYPE_CHECKING:
    from deepoj.worker.reach import Reached

_MARK: Final = {True: "[green]ok[/]", False: "[red]missing[/]"}


@click.command(
    name="join",
    help=help_text(
        "Set this machine up as a judge host of the site at URL.\n\n"
        "Asks the site, with the token, for all a worker needs; tries each address; looks for compilers; "
        "makes a box to see how well it isolates; writes the settings, readable for you only, and a systemd "
        "unit beside them. What is there already is replaced. Where the services ask for certificates (tls "
        "mutual) name this host's own with --certificate and --key.",
        examples=(
            "deepoj worker join https://oj.example --token-file judge-1.token",
            "deepoj worker join https://oj.example --token-file judge-1.token --json",
        ),
        exits={
            Exit.OK: "the settings are written, and the worker can be run",
            Exit.USAGE: "the address or the token file is none",
            Exit.UNUSABLE: "this machine cannot judge: no language, or no isolation; nothing is written",
            Exit.UNREACHABLE: "the site, or something it named, cannot be reached; nothing is written",
            Exit.REFUSED: "the site does not know the token, or has nothing prepared for judge hosts",
        },
    ),
)
@click.argument("url")
@click.option(
    "--token-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=True,
    help="What deepoj worker invite printed.",
)  # fmt: skip
@settings_option
@click.option(
    "--home", type=click.Path(path_type=Path, file_okay=False), default=default_home,
    show_default="/var/lib/deepoj/worker, without root ~/.local/state/deepoj/worker",
    help="Where the worker keeps test data and compiled programs.",
)  # fmt: skip
@click.option(
    "--authority", type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="PEM file of the authority of the site's certificate, where this machine does not know it.",
)  # fmt: skip
@click.option("--certificate", type=click.Path(path_type=Path, exists=True), help="PEM file, for tls mutual.")
@click.option("--key", type=click.Path(path_type=Path, exists=True), help="PEM file, for tls mutual.")
@json_option
def command(
    *,
    url: str,
    token_file: Path,
    path: Path,
    home: Path,
    authority: Path | None,
    certificate: Path | None,
    key: Path | None,
    as_json: bool,
) -> None:
    token = read_token(token_file)
    with err().status("asking the site"):
        told = ask(server_url(url), token, authority)
    if told.tls == "mutual" and not (certificate and key):
        raise Failure(
            "the services ask callers for certificates: name this host's with --certificate and --key",
            Exit.USAGE,
        )
    with err().status("trying what it named"):
        # gRPC would write of every handshake.
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        from deepoj.worker.reach import reached  # noqa: PLC0415 — its drivers take a second

        addresses = reached(told, token, (certificate, key))
    with err().status("looking for compilers"):
        found = {row.slug: row.version for row in languages() if row.version}
    with err().status("making a box"):
        isolation = probe_isolation()
    if not as_json:
        _show(told, addresses, found, isolation)
    _require(addresses, found, isolation)
    settings, home = path.absolute(), home.absolute()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    environ = worker_environ(told, token, settings, home, (certificate, key))
    write_settings(settings, environ, told.authorities)
    unit = write_unit(settings)
    run = ["deepoj", "worker", "run", "--settings", str(settings)]
    if as_json:
        print_json(
            {
                "host": told.name,
                "addresses": [asdict(each) for each in addresses],
                "languages": found,
                "isolation": asdict(isolation),
                "settings": str(settings),
                "unit": str(unit),
                "run": run,
            }
        )
        return
    out().print(f"\nSettings are in {escape(str(settings))}. Run the worker with\n", soft_wrap=True)
    out().print(f"  {escape(shlex.join(run))}", soft_wrap=True)
    out().print(f"  systemctl enable --now {escape(str(unit))}    as a service", soft_wrap=True)


def _show(told: HostSettings, addresses: list[Reached], found: dict[str, str], isolation: Isolation) -> None:
    out().print(f"This is the judge host {escape(told.name)}.", soft_wrap=True)
    for each in addresses:
        said = f"{each.address}: {each.problem}" if each.problem else each.address
        out().print(f"{_MARK[not each.problem]} {each.what} {escape(said)}", soft_wrap=True)
    out().print(f"{_MARK[bool(found)]} languages {', '.join(sorted(found)) or 'none'}", soft_wrap=True)
    layers = "; ".join(isolation.degraded) or isolation.problem or "all layers hold"
    out().print(f"{_MARK[isolation.sufficient]} isolation {escape(layers)}", soft_wrap=True)


def _require(addresses: list[Reached], found: dict[str, str], isolation: Isolation) -> None:
    away = [f"{each.what} at {each.address} ({each.problem})" for each in addresses if each.problem]
    if away:
        raise Failure(f"not reached from here: {'; '.join(away)}. Nothing was written", Exit.UNREACHABLE)
    if not isolation.sufficient:
        raise Failure(
            f"no box can be made here ({isolation.problem}): {REMEDY}. Nothing was written", Exit.UNUSABLE
        )
    if not found:
        raise Failure("no language is installed: deepoj doctor --install. Nothing was written", Exit.UNUSABLE)
