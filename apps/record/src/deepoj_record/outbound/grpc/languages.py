"""The language table, which is judgement's. It is asked in the background and never while somebody waits."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

import grpc

from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.submission.route import Lane
from deepoj_kit.grpc import RemoteError
from deepoj_languages.language import Language
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub
from deepoj_record.commands.ports import LanguageFacts

_log = logging.getLogger(__name__)
_LANES: Final = {judging_pb2.LANE_LIGHT: Lane.LIGHT, judging_pb2.LANE_HEAVY: Lane.HEAVY}


class GrpcLanguages:
    """The table holds until the first answer; after it the last answer, however long judgement is away."""

    def __init__(self, channel: grpc.aio.Channel, table: Iterable[Language]) -> None:
        self._judgement = JudgementServiceStub(channel)
        self._known = {row.slug: LanguageFacts(lane=row.lane) for row in table}

    def find(self, language: LanguageSlug) -> LanguageFacts | None:
        return self._known.get(language)

    def is_unserved(self, language: LanguageSlug) -> bool:
        known = self._known.get(language)
        return known is not None and known.is_unserved

    async def refresh(self) -> None:
        try:
            answer = await self._judgement.ListLanguages(judgement_pb2.ListLanguagesRequest())
        except RemoteError as error:
            _log.info("judgement does not tell its languages, the last known ones hold: %s", error)
            return
        # Without a host that has any language there is nobody to tell what is installed.
        has_hosts = any(each.available for each in answer.languages)
        self._known = {
            language_slug(each.slug): LanguageFacts(
                lane=_LANES.get(each.lane, Lane.HEAVY),
                is_missing=has_hosts and not each.available,
                install_hint=each.install_hint,
                is_unserved=not each.available,
            )
            for each in answer.languages
        }
