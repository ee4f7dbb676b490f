"""Every command as a log line and as numbers. Ids go into the line and never onto a number (INV-6)."""

from __future__ import annotations

import logging
from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_kit.telemetry import counter

_log = logging.getLogger(__name__)
_COMMANDS = counter("game_commands", "Commands on games", ("command", "status", "reason"))


class TelemetryJournal:
    def changed(self, command: str, game_id: GameId, by: AccountId) -> None:
        _COMMANDS.add(command=command, status="ok", reason="")
        _log.info(
            "%s: game %s",
            command,
            game_id,
            extra={"game_id": str(game_id), "user_id": str(by), "stage": command},
        )

    def refused(self, command: str, game_id: GameId, reason: StrEnum) -> None:
        _COMMANDS.add(command=command, status="refused", reason=reason)
        extra = {"game_id": str(game_id), "stage": command, "reason": reason}
        _log.info("%s refused: %s", command, reason, extra=extra)
