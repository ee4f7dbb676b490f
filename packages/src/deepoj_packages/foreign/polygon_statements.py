"""Statements of a Polygon package: TeX in parts, a print of each, and the samples as readers see them."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.json_values import JsonObject, load_object
from deepoj_packages.foreign.xml_tree import Element
from deepoj_packages.spec import SAMPLE, Sample, StatementFormat
from deepoj_packages.tree import Tree

_STATEMENTS = PurePosixPath("statements")
_SECTIONS = PurePosixPath("statement-sections")
_PROPERTIES = "problem-properties.json"
_MOST_SAMPLES = 100
_PDF = "application/pdf"
_TEX = "application/x-tex"
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
_PARTS = ("legend", "input", "output", "interaction", "scoring", "notes")
_HEADINGS = {
    "en": ("", "Input", "Output", "Interaction", "Scoring", "Notes"),
    "ru": ("", "Входные данные", "Выходные данные", "Протокол взаимодействия", "Система оценки", "Замечание"),
    "zh": ("", "输入", "输出", "交互", "评分", "提示"),
}
_CODES = {
    "afrikaans": "af",
    "arabic": "ar",
    "armenian": "hy",
    "azerbaijani": "az",
    "bengali": "bn",
    "bulgarian": "bg",
    "chinese": "zh",
    "croatian": "hr",
    "czech": "cs",
    "dutch": "nl",
    "english": "en",
    "estonian": "et",
    "finnish": "fi",
    "french": "fr",
    "georgian": "ka",
    "german": "de",
    "greek": "el",
    "hebrew": "he",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "italian": "it",
    "japanese": "ja",
    "kazakh": "kk",
    "korean": "ko",
    "latvian": "lv",
    "lithuanian": "lt",
    "mongolian": "mn",
    "persian": "fa",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "serbian": "sr",
    "slovak": "sk",
    "slovene": "sl",
    "spanish": "es",
    "swedish": "sv",
    "thai": "th",
    "turkish": "tr",
    "turkmen": "tk",
    "ukrainian": "uk",
    "uzbek": "uz",
    "vietnamese": "vi",
}
_FORMULA = re.compile(r"(\$\$[^$]*\$\$|\$[^$]*\$)")
_COMMAND = re.compile(r"\\(bf|it|tt|t)[ \t]*\{")
_NAMED = {"bf": "textbf", "it": "textit", "tt": "texttt", "t": "texttt"}
_PICTURE = re.compile(r"(\\includegraphics(?:\[[^\[\]]{0,200}\])?\{)([^{}]{1,200})\}")
# The sections of a whole problem.tex, by the commands of Polygon's own document class.
_COMMANDS = {
    r"\InputFile": "input",
    r"\OutputFile": "output",
    r"\Interaction": "interaction",
    r"\Scoring": "scoring",
    r"\Note": "notes",
    r"\Notes": "notes",
    r"\Examples": "",
    r"\Example": "",
}
_WHOLE = re.compile(r"\\(?:InputFile|OutputFile|Interaction|Scoring|Notes?|Examples?)\b")
_BEGIN = re.compile(r"\\begin\{problem\}(?:\s{0,9}\{[^{}]{0,500}\}){0,6}")


class PolygonStatements:
    def __init__(self, tree: Tree, draft: Draft, problem: Element) -> None:
        self._tree = tree
        self._draft = draft
        self._problem = problem
        self._shown: list[JsonObject] = []

    def read(self) -> None:
        names = {name.get("language"): name.get("value") for name in self._problem.all("names", "name")}
        of_language: dict[str, dict[str, Element]] = {}
        for statement in self._problem.all("statements", "statement"):
            of_language.setdefault(statement.get("language"), {})[statement.get("type")] = statement
        for language, kinds in of_language.items():
            code = _CODES.get(language)
            if code is None:
                self._draft.warn(f"a statement is left out: its language {language[:40]!r} is not known here")
                continue
            if names.get(language):
                self._draft.titles[code] = names[language]
            self._read(language, code, kinds)
        if not self._draft.statements and not self._draft.printed:
            self._draft.warn("there is no problem statement")
            self._draft.keep_statement("en", "")

    def samples(self) -> list[Sample]:
        """As a statement shows them, which need not be what is judged."""
        found = []
        for number, shown in enumerate(self._shown[:_MOST_SAMPLES], start=1):
            name = f"{SAMPLE}/{number}"
            files = [
                self._draft.write(PurePosixPath("data", f"{name}.{ending}.statement"), _unix(shown.text(key)))
                for key, ending in (("input", "in"), ("output", "ans"))
            ]
            found.append(Sample(name=name, input=files[0], output=files[1]))
        return found

    def _read(self, language: str, code: str, kinds: Mapping[str, Element]) -> None:
        directory = _STATEMENTS / language
        parts = self._properties(directory, code) or self._sections(_SECTIONS / language)
        if not parts and _TEX in kinds:
            parts = self._whole(PurePosixPath(kinds[_TEX].get("path")))
        if parts:
            self._keep(code, directory, parts)
        pdf = _STATEMENTS / ".pdf" / language / "problem.pdf"
        if _PDF in kinds and self._tree.has(pdf):
            self._draft.keep_print(code, self._tree.path(pdf))

    def _properties(self, directory: PurePosixPath, code: str) -> dict[str, str]:
        file = directory / _PROPERTIES
        if not self._tree.has(file):
            return {}
        about = load_object(self._tree.text(file), str(file))
        if not self._shown or code == "en":
            self._shown = about.parts("sampleTests")
        return {part: about.text(part) for part in _PARTS}

    def _sections(self, directory: PurePosixPath) -> dict[str, str]:
        files = {part: directory / f"{part}.tex" for part in _PARTS}
        return {part: self._tree.text(file) for part, file in files.items() if self._tree.has(file)}

    def _whole(self, file: PurePosixPath) -> dict[str, str]:
        if not self._tree.has(file):
            return {}
        text = self._tree.text(file).rpartition(r"\end{problem}")[0]
        begin = _BEGIN.search(text)
        if begin is None:
            return {}
        parts, part, position = dict.fromkeys(_PARTS, ""), "legend", begin.end()
        for command in (*_WHOLE.finditer(text, position), None):
            piece = text[position : command.start() if command else len(text)]
            if part:
                parts[part] += piece
            if command:
                part, position = _COMMANDS[command[0]], command.end()
        return parts

    def _keep(self, code: str, directory: PurePosixPath, parts: Mapping[str, str]) -> None:
        headings = _HEADINGS.get(code, _HEADINGS["en"])
        written = []
        for part, heading in zip(_PARTS, headings, strict=True):
            text = plain_tex(parts.get(part, "")).strip()
            if text:
                written.append(f"\\section*{{{heading}}}\n\n{text}\n" if heading else f"{text}\n")

        def with_picture(found: re.Match[str]) -> str:
            return f"{found[1]}{self._picture(code, directory, found[2])}}}"

        text = _PICTURE.sub(with_picture, "\n".join(written))
        self._draft.keep_statement(code, text, StatementFormat.TEX)

    def _picture(self, code: str, directory: PurePosixPath, name: str) -> str:
        """The name a picture has here; languages may have different ones of the same name."""
        address = f"{code}-{name.strip()}"
        if address in self._draft.pictures:
            return self._draft.pictures[address]
        file = directory / name.strip()
        if not self._tree.has(file) or file.suffix.lower() not in _PICTURES:
            self._draft.warn(
                f"the picture {name[:80]!r} is not shown: it is missing or no picture for the web"
            )
            return name
        self._draft.add_picture(address, self._tree.path(file).read_bytes())
        return self._draft.pictures[address]


def plain_tex(text: str) -> str:
    r"""Polygon's short commands take an argument, where those of TeX (`\bf`) change what follows."""
    pieces = _FORMULA.split(_unix(text))
    pieces[::2] = [_COMMAND.sub(lambda found: f"\\{_NAMED[found[1]]}{{", piece) for piece in pieces[::2]]
    return "".join(pieces)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")
