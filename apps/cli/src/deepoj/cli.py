"""The `deepoj` command: a group that loads a command only when it is asked for."""

from __future__ import annotations

import importlib
import os
from importlib.metadata import version

import click
from rich.markup import escape

from deepoj.console import err
from deepoj.errors import MEANING, Exit, Failure
from deepoj.verbs.help import help_text

SECTIONS = {
    "Use": {
        "login": "Log in to a server.",
        "logout": "End the session.",
        "whoami": "Show who you are logged in as.",
        "problems": "List problems, or read one.",
        "submit": "Submit a solution.",
        "status": "Show how a submission stands, or the processes of a running stack.",
        "contest": "Contests and their boards.",
        "import": "Upload a problem package.",
    },
    "Set problems": {
        "judge": "Judge solutions with a problem package on this machine.",
        "verify": "Check problem packages and their example submissions.",
        "export": "Write a problem package in another format.",
        "languages": "List the languages and which of them this machine has.",
    },
    "Run": {
        "up": "Start everything on this machine and keep it running.",
        "down": "Stop a running stack.",
        "logs": "Show what a process wrote.",
    },
    "Operate": {
        "admin": "Do what staff does on the site: accounts, rejudges, contests, problems.",
        "top": "Show live how a system is.",
        "trace": "Tell the story of a submission.",
        "replay": "Judge a submission again and compare.",
        "backup": "Take a backup of a system, or check the ones there are.",
        "restore": "Put a backup in the place of a system.",
        "worker": "Judge hosts: invite, revoke, set up, run, drain.",
        "clean": "Show how much a system keeps, and delete what nobody needs.",
        "migrate": "Bring the database schemas up to date.",
        "config": "Show every setting and where it comes from.",
        "doctor": "Check what this machine has and lacks.",
    },
    "Develop": {"test": "Run everything CI runs."},
}
# A module cannot be named by a keyword of the language.
MODULES = {"import": "import_package"}


class Sentence(click.ClickException):
    """A failure as the reader sees it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self._code = int(failure.code)

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # click reads it from the instance only
        return self._code

    def show(self, file: object = None) -> None:
        del file
        err().print(f"[bold red]error:[/] {escape(self.message)}")


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [name for section in SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = MODULES.get(cmd_name, cmd_name)
        command = importlib.import_module(f"deepoj.verbs.{module}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Failure as failure:
            raise Sentence(failure) from failure
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt as interrupt:
            raise Sentence(Failure("Ctrl-C broke it off", Exit.INTERRUPTED)) from interrupt
        except OSError as error:
            raise Sentence(_from_system(error)) from error
        except Exception as error:
            if os.environ.get("DEEPOJ_DEBUG"):
                raise
            raise Sentence(_from_bug(error)) from error


def _from_system(error: OSError) -> Failure:
    where = f"{error.filename}: " if error.filename else ""
    return Failure(f"the system refused: {where}{error.strerror or error}", Exit.UNUSABLE)


def _from_bug(error: Exception) -> Failure:
    return Failure(
        f"deepoj itself failed with {type(error).__name__}: {error}; set DEEPOJ_DEBUG=1 to see where, and "
        "report it",
        Exit.INTERNAL,
    )


@click.group(
    cls=Commands,
    help=help_text(
        "Deep-OJ, an online judge that never loses a submission.",
        examples=(
            "deepoj up                                 start everything on this machine",
            "deepoj doctor                             see what is missing",
            "deepoj submit two-sum main.cpp --watch    solve a problem",
        ),
        exits=MEANING,
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(version("deepoj"), prog_name="deepoj", message="%(prog)s %(version)s")
def cli() -> None:
    pass
