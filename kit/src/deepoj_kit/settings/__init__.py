"""Settings of a process: environment variables win, a TOML file fills what is unset, all problems at once."""

from deepoj_kit.settings.loader import Described, describe, load
from deepoj_kit.settings.process import PostgresUrl, ProcessSettings, ServiceAddress
from deepoj_kit.settings.secret import Secret, redact_url
from deepoj_kit.settings.sources import Problem, SettingsError
from deepoj_kit.settings.values import ByteSize

__all__ = [
    "ByteSize",
    "Described",
    "PostgresUrl",
    "Problem",
    "ProcessSettings",
    "Secret",
    "ServiceAddress",
    "SettingsError",
    "describe",
    "load",
    "redact_url",
]
