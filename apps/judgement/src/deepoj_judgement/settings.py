"""What the judgement service is told from outside."""

from __future__ import annotations

from deepoj_kit.settings import PostgresUrl, ProcessSettings


class JudgementSettings(ProcessSettings, frozen=True, kw_only=True):
    postgres_url: PostgresUrl
