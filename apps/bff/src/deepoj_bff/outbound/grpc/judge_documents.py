"""What the judge hands over whole."""

from __future__ import annotations

from typing import Final

from deepoj_domain.documents import JUDGE_RESULT, MANIFEST
from deepoj_domain.judgement.manifest import Manifest
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.documents import Document

_RESULT: Final = Document(JUDGE_RESULT, InvalidValueError)
_MANIFEST: Final = Document(MANIFEST, InvalidValueError)


def read_result(document: bytes) -> JudgeResult:
    return _RESULT.decode(document)


def read_manifest(document: bytes) -> Manifest:
    return _MANIFEST.decode(document)
