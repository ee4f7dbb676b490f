"""What the question service is told from outside."""

from __future__ import annotations

from deepoj_kit.settings import PostgresUrl, ProcessSettings


class QuestionSettings(ProcessSettings, frozen=True, kw_only=True):
    postgres_url: PostgresUrl
