"""What people read of a question: statements in several languages, samples, and files shown beside them."""

from dataclasses import dataclass
from enum import StrEnum
from re import compile as pattern
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError

MOST_STATEMENTS: Final = 20
MOST_TITLE: Final = 200
MOST_MARKDOWN: Final = 256 * 1024
MOST_SAMPLES: Final = 20
MOST_SAMPLE: Final = 64 * 1024
# All texts of a revision travel in one message, which ends at 4 MiB.
MOST_TEXT: Final = 1024 * 1024
MOST_ASSETS: Final = 100
MOST_ASSET: Final = 10 * 1024 * 1024

PDF: Final = "application/pdf"
# What a browser may be shown. HTML is not among them: it could run scripts in our name.
ASSET_TYPES: Final = frozenset(
    {
        "application/octet-stream",
        PDF,
        "application/zip",
        "image/gif",
        "image/jpeg",
        "image/png",
        "image/svg+xml",
        "image/webp",
        "text/plain",
    }
)
_LOCALE: Final = pattern(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}")
_NAME: Final = pattern(r"(?=.{1,100}$)[A-Za-z0-9_][A-Za-z0-9_. -]*(/[A-Za-z0-9_][A-Za-z0-9_. -]*)*")


class StatementFormat(StrEnum):
    MARKDOWN = "markdown"
    TEX = "tex"


@dataclass(frozen=True, slots=True)
class Statement:
    """A text with math; an image is named as in the assets."""

    locale: str
    """BCP 47, such as en or zh-Hans."""
    title: str
    markdown: str
    """The text as it was written, also where it is TeX."""
    format: StatementFormat = StatementFormat.MARKDOWN
    pdf: str = ""
    """The asset that holds it printed; with no text beside it, it is all there is."""

    def __post_init__(self) -> None:
        if not _LOCALE.fullmatch(self.locale):
            raise InvalidValueError("locale_malformed", "a locale is a BCP 47 tag such as en or zh-Hans")
        if not self.title.strip() or not self.title.isprintable():
            raise InvalidValueError("title_empty", "a statement needs a title of printable characters")
        if len(self.title) > MOST_TITLE:
            raise InvalidValueError("title_too_long", f"a title has at most {MOST_TITLE} characters")
        if _size(self.markdown) > MOST_MARKDOWN:
            raise InvalidValueError("statement_too_large", f"a statement has at most {MOST_MARKDOWN} bytes")
        _refuse_nul(self.markdown)


@dataclass(frozen=True, slots=True)
class Sample:
    input: str
    output: str
    note: str = ""

    def __post_init__(self) -> None:
        if max(_size(self.input), _size(self.output), _size(self.note)) > MOST_SAMPLE:
            raise InvalidValueError(
                "sample_too_large", f"each part of a sample has at most {MOST_SAMPLE} bytes"
            )
        _refuse_nul(self.input, self.output, self.note)


@dataclass(frozen=True, slots=True)
class Asset:
    name: str
    content_type: str
    content: ContentHash
    size: int

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InvalidValueError(
                "asset_name_malformed",
                "an asset's name has at most 100 of the characters A-Z a-z 0-9 _ . - / and space",
            )
        if self.content_type not in ASSET_TYPES:
            raise InvalidValueError(
                "asset_type_refused", f"an asset is one of: {', '.join(sorted(ASSET_TYPES))}"
            )
        if not 0 <= self.size <= MOST_ASSET:
            raise InvalidValueError("asset_too_large", f"an asset has at most {MOST_ASSET} bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    statements: tuple[Statement, ...]
    """The first one's title stands in lists."""
    samples: tuple[Sample, ...] = ()
    assets: tuple[Asset, ...] = ()

    def __post_init__(self) -> None:
        if not self.statements:
            raise InvalidValueError("no_statement", "a question needs at least one statement")
        _check_count("statements", len(self.statements), MOST_STATEMENTS)
        _check_count("samples", len(self.samples), MOST_SAMPLES)
        _check_count("assets", len(self.assets), MOST_ASSETS)
        _check_unique("locale_twice", [statement.locale.lower() for statement in self.statements])
        _check_unique("asset_twice", [asset.name for asset in self.assets])
        printed = {asset.name for asset in self.assets if asset.content_type == PDF}
        if missing := {each.pdf for each in self.statements if each.pdf} - printed:
            raise InvalidValueError("pdf_missing", f"no asset of type {PDF} is named {min(missing)!r}")
        if sum(map(_size, self._texts())) > MOST_TEXT:
            raise InvalidValueError(
                "texts_too_large", f"statements and samples have at most {MOST_TEXT} bytes together"
            )

    @property
    def title(self) -> str:
        return self.statements[0].title

    def statement(self, locale: str) -> Statement:
        """Return the one in this locale, else one in the same language, else the first."""
        wanted = locale.lower()
        language = wanted.partition("-")[0]
        by_locale = {each.locale.lower(): each for each in self.statements}
        related = (each for tag, each in by_locale.items() if tag.partition("-")[0] == language)
        return by_locale.get(wanted) or next(related, self.statements[0])

    def _texts(self) -> list[str]:
        statements = [text for each in self.statements for text in (each.title, each.markdown)]
        return statements + [text for each in self.samples for text in (each.input, each.output, each.note)]


def _size(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise InvalidValueError("text_malformed", "a text is not valid Unicode") from None


def _refuse_nul(*texts: str) -> None:
    # PostgreSQL cannot store it, and no statement needs it.
    if any("\0" in text for text in texts):
        raise InvalidValueError("text_malformed", "a text may not contain the character NUL")


def _check_count(what: str, count: int, most: int) -> None:
    if count > most:
        raise InvalidValueError(f"too_many_{what}", f"a question has at most {most} {what}")


def _check_unique(code: str, keys: list[str]) -> None:
    if len(set(keys)) < len(keys):
        raise InvalidValueError(code, "a locale or the name of an asset is given twice")
