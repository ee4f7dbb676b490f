"""Headers precompiled once per flag set: a C++ submission then compiles in a quarter of the time.

The header is our own text, so it is compiled on the host; boxes show the directory read-only. GCC looks for
`bits/stdc++.h.gch` before `bits/stdc++.h` in each include directory and ignores one that does not fit.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from deepoj_judgement.commands.judge.toolchain import Toolchain

_log = logging.getLogger(__name__)
_SOURCE = "#include <bits/stdc++.h>\n"


async def precompile(toolchains: Iterable[Toolchain], home: Path) -> None:
    """Make what is missing, one after the other; a failure only costs speed."""
    for toolchain in toolchains:
        if toolchain.language.precompile:
            try:
                await _precompile(toolchain, home / toolchain.language.slug)
            except OSError as error:
                _log.warning("no precompiled header for %s: %s", toolchain.language.slug, error)


async def _precompile(toolchain: Toolchain, directory: Path) -> None:
    target, stamp = directory / "bits" / "stdc++.h.gch", directory / "made-with"
    target.parent.mkdir(parents=True, exist_ok=True)
    # Whatever the umask is: programs in boxes are other users.
    for shown in (directory.parent, directory, target.parent):
        shown.chmod(0o755)
    made_with = sha256(toolchain.identity.encode()).hexdigest()
    if target.exists() and stamp.exists() and stamp.read_text() == made_with:
        return
    source = directory / "source.h"
    source.write_text(_SOURCE)
    # Renamed when complete: a compiler at work may look for it, another worker may make it too.
    partial = target.with_name(f".{os.getpid()}.partial")
    program, *flags = toolchain.language.precompile
    argv = (toolchain.programs[program], *flags, str(source), "-o", str(partial))
    process = await asyncio.create_subprocess_exec(
        *argv, stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        _, errors = await process.communicate()
        if process.returncode != 0:
            raise OSError(errors.decode(errors="replace")[:500])
        partial.chmod(0o644)
        partial.replace(target)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        partial.unlink(missing_ok=True)
    stamp.write_text(made_with)
    _log.info("precompiled header made", extra={"language": toolchain.language.slug})
