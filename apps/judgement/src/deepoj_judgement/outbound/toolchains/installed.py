"""Which languages of the table this machine has, found out by asking each compiler for its version."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_judgement.commands.judge.errors import LanguageNotInstalledError, UnknownLanguageError
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_languages.language import Language
from deepoj_languages.scripts import SCRIPTS

_log = logging.getLogger(__name__)
# What every box shows; a compiler elsewhere would not be found inside.
_BOX_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_VERSION_SECONDS = 60.0
PRECOMPILED_INSIDE = "/precompiled"
"""Where boxes show the directory of precompiled headers."""


class InstalledToolchains:
    """Examine the machine once with `detect`; until then nothing is installed."""

    def __init__(
        self, table: tuple[Language, ...], directories: Iterable[str] = (), only: Collection[str] = ()
    ) -> None:
        """`directories` are toolchains outside /usr that boxes show too; `only` leaves out the others."""
        self._table = table
        self._only = only
        self._path = (*(f"{directory}/bin" for directory in directories), *_BOX_PATH)
        self._installed: Mapping[str, Toolchain] = {}
        self._scripts: Toolchain | None = None

    async def detect(self) -> None:
        wanted = [each for each in self._table if not self._only or each.slug in self._only]
        found = await asyncio.gather(*(self._examine(language) for language in wanted))
        self._installed = {each.language.slug: each for each in found if each is not None}
        self._scripts = self._with_all(await self._examine(SCRIPTS))
        _log.info("languages", extra={"languages": {name: t.version for name, t in self._installed.items()}})

    def unknown(self) -> str:
        """Say what of `only` is in no table; nothing, when all of it is."""
        known = {row.slug for row in self._table}
        named = ", ".join(sorted(set(self._only) - known))
        return named and f"languages names {named}, and the table has {', '.join(sorted(known))}"

    def table(self) -> tuple[Language, ...]:
        return self._table

    def installed(self) -> tuple[Toolchain, ...]:
        return tuple(self._installed.values())

    def scripts(self) -> Toolchain | None:
        """For programs of packages that bring scripts; it is in no table."""
        return self._scripts

    def find(self, language: LanguageSlug) -> Toolchain:
        if language == SCRIPTS.slug and self._scripts is not None:
            return self._scripts
        if language in self._installed:
            return self._installed[language]
        for row in self._table:
            if row.slug == language:
                raise LanguageNotInstalledError(language, row.package)
        raise UnknownLanguageError(language)

    def _with_all(self, scripts: Toolchain | None) -> Toolchain | None:
        """A script may use whatever there is, so what is judged by one is judged by all of it."""
        if scripts is None:
            return None
        identities = sorted(each.identity for each in self._installed.values())
        everything = sha256("\n".join((scripts.identity, *identities)).encode()).hexdigest()[:12]
        return replace(scripts, identity=f"{scripts.identity} with {everything}")

    async def _examine(self, language: Language) -> Toolchain | None:
        argvs = (language.version, language.run, *language.compile, language.syntax)
        needed = [argv[0] for argv in argvs if argv]
        programs: dict[str, str] = {}
        for name in needed:
            if not name.startswith("/"):
                path = self._which(name)
                if path is None:
                    return None
                programs[name] = path
        version = await _first_line((programs[language.version[0]], *language.version[1:]))
        if not version or _major(version) < language.oldest:
            return None
        row = sha256(repr(language).encode()).hexdigest()[:12]
        inside = f"{PRECOMPILED_INSIDE}/{language.slug}"
        return Toolchain(language, version, f"{version} #{row}", programs, inside)

    def _which(self, name: str) -> str | None:
        paths = (f"{directory}/{name}" for directory in self._path)
        return next((path for path in paths if os.access(path, os.X_OK)), None)


def _major(version: str) -> int:
    """Return the first number in what a program says about its version."""
    found = re.search(r"\d+", version)
    return int(found[0]) if found else 0


async def _first_line(argv: tuple[str, ...]) -> str:
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={"PATH": ":".join(_BOX_PATH)},
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), _VERSION_SECONDS)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        return ""
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[0].strip() if process.returncode == 0 and lines else ""
