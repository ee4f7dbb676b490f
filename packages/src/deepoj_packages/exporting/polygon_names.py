"""What Polygon calls languages, sources and solutions."""

from pathlib import PurePosixPath

from deepoj_packages.spec import Submission

SOURCE_TYPES = {
    "c": "c.gcc",
    "cpp": "cpp.g++17",
    "java": "java11",
    "python2": "python.2",
    "python3": "python.3",
    "pascal": "pas.fpc",
    "csharp": "csharp.mono",
    "go": "go",
    "rust": "rust",
    "kotlin": "kotlin",
}
STATEMENT_LANGUAGES = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "ja": "japanese",
    "ko": "korean",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "uk": "ukrainian",
    "zh": "chinese",
}
_TAGS = {
    "accepted": "accepted",
    "wrong_answer": "wrong-answer",
    "time_limit_exceeded": "time-limit-exceeded",
    "run_time_error": "failed",
}


def tag_of(submission: Submission) -> str:
    return _TAGS.get(PurePosixPath(submission.name).parts[0], "rejected")
