"""The systemd unit of a worker that was set up by `deepoj worker join`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from deepoj.worker.settings_file import write_whole

# As ops/systemd/deepoj-judge.service, which says why.
_UNIT: Final = """\
# Written by deepoj worker join.
[Unit]
Description=Deep-OJ judge worker
After=network-online.target
Wants=network-online.target

[Service]
ExecStart={python} -m deepoj_judgement serve
EnvironmentFile={settings}
Restart=always
RestartSec=1
TimeoutStopSec=60
KillMode=mixed
UMask=0077
Delegate=memory pids
CapabilityBoundingSet=CAP_SYS_ADMIN CAP_SETUID CAP_SETGID CAP_SETPCAP CAP_KILL CAP_DAC_OVERRIDE
ProtectClock=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

[Install]
WantedBy=multi-user.target
"""


def write_unit(settings: Path) -> Path:
    path = settings.with_name("deepoj-worker.service")
    write_whole(path, _UNIT.format(python=sys.executable, settings=settings), mode=0o644)
    return path
