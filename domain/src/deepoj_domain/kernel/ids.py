"""Typed ids. They are UUIDv7 made by the caller; the domain never makes one."""

from typing import NewType
from uuid import UUID

AccountId = NewType("AccountId", UUID)
ApiTokenId = NewType("ApiTokenId", UUID)
CaptchaId = NewType("CaptchaId", UUID)
ClarificationId = NewType("ClarificationId", UUID)
FamilyId = NewType("FamilyId", UUID)
GameId = NewType("GameId", UUID)
InvitationId = NewType("InvitationId", UUID)
JudgementId = NewType("JudgementId", UUID)
QuestionId = NewType("QuestionId", UUID)
RejudgeId = NewType("RejudgeId", UUID)
SubmissionId = NewType("SubmissionId", UUID)
WorkId = NewType("WorkId", UUID)

# A judge process names itself (host and process), so this one is text.
WorkerId = NewType("WorkerId", str)
