"""Mail as files in a directory, for a system without a mail server: its operator reads them there."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp

from deepoj_kit.clock import Clock
from deepoj_kit.private import private_directory
from deepoj_user.commands.ports import Mail
from deepoj_user.outbound.mail.transport import Letterhead, UndeliveredError


class FileTransport:
    """One `.eml` a mail, named by time and recipient, whole as soon as it can be seen."""

    def __init__(self, directory: Path, letterhead: Letterhead, clock: Clock) -> None:
        self._directory = private_directory(directory)
        self._letterhead = letterhead
        self._clock = clock

    def send(self, mail: Mail) -> None:
        try:
            descriptor, draft = mkstemp(prefix=".draft-", dir=self._directory)  # mode 0600
            with os.fdopen(descriptor, "wb") as file:
                file.write(bytes(self._letterhead.letter(mail)))
            stamp = self._clock().strftime("%Y%m%dT%H%M%S.%fZ")
            Path(draft).rename(self._directory / f"{stamp}-{mail.to.replace('/', '_')}.eml")
        except OSError as error:
            raise UndeliveredError(f"{error.strerror or error}", is_final=False) from error
