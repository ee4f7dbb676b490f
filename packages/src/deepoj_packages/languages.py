"""The format's codes of programming languages: by file ending, and which of our languages they mean."""

from pathlib import PurePosixPath

from deepoj_languages.table import slugs_of_package

# As the format lists them, but .pl is Perl: what looks like Prolog inside is refused.
_ENDINGS = {
    ".4th": "forth",
    ".a68": "algol68",
    ".adb": "ada",
    ".ads": "ada",
    ".apl": "apl",
    ".c": "c",
    ".C": "cpp",
    ".c++": "cpp",
    ".cc": "cpp",
    ".cl": "lisp",
    ".cob": "cobol",
    ".cpp": "cpp",
    ".cr": "crystal",
    ".cs": "csharp",
    ".cxx": "cpp",
    ".d": "d",
    ".dart": "dart",
    ".erl": "erlang",
    ".ex": "elixir",
    ".f90": "fortran",
    ".forth": "forth",
    ".fs": "fsharp",
    ".fth": "forth",
    ".go": "go",
    ".hs": "haskell",
    ".java": "java",
    ".jl": "julia",
    ".js": "javascript",
    ".kt": "kotlin",
    ".lisp": "lisp",
    ".lua": "lua",
    ".m": "objectivec",
    ".ml": "ocaml",
    ".mod": "modula2",
    ".nim": "nim",
    ".odin": "odin",
    ".pas": "pascal",
    ".php": "php",
    ".pl": "perl",
    ".pm": "perl",
    ".py": "python3",
    ".py2": "python2",
    ".py3": "python3",
    ".rb": "ruby",
    ".rkt": "racket",
    ".rs": "rust",
    ".scala": "scala",
    ".sh": "bash",
    ".swift": "swift",
    ".ts": "typescript",
    ".vb": "visualbasic",
    ".zig": "zig",
}
# What other judges call them, in small letters, and the ending of a file in that language.
_NAMED = {
    "c": ".c",
    "clang": ".c",
    "c++": ".cpp",
    "clang++": ".cpp",
    "cpp": ".cpp",
    "java": ".java",
    "python": ".py",
    "python3": ".py",
    "pascal": ".pas",
    "golang": ".go",
    "go": ".go",
    "javascript": ".js",
    "ruby": ".rb",
    "php": ".php",
    "perl": ".pl",
    "c#": ".cs",
    "lua": ".lua",
    "bash": ".sh",
}
_HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".inc"})
_ENTRY_STEMS = ("main", "Main", "__main__", "validate", "validator")


def language_of(file: PurePosixPath) -> str | None:
    return _ENDINGS.get(file.suffix)


def is_known(code: str) -> bool:
    return code in _ENDINGS.values()


def ending_of(language: str) -> str | None:
    """Of a file in a language that another judge names."""
    return _NAMED.get(language.strip().lower())


def is_header(file: PurePosixPath) -> bool:
    return file.suffix in _HEADERS


def slugs_of(code: str) -> tuple[str, ...]:
    """Ours, the preferred one first; a code that is already ours, or unknown, is returned as it is."""
    return slugs_of_package(code) or (code,)


def main_of(files: tuple[PurePosixPath, ...], language: str, name: str, entrypoint: str) -> PurePosixPath:
    """The file a program starts in: the entry point, else a usual name, else the program's own."""
    sources = [file for file in files if language_of(file) == language] or list(files)
    for stem in (*_names_of(entrypoint), *_ENTRY_STEMS, PurePosixPath(name).stem):
        for file in sources:
            if stem == file.stem or str(file).endswith((f"/{stem}", f"/{stem}{file.suffix}")):
                return file
    return sources[0]


def _names_of(entrypoint: str) -> tuple[str, ...]:
    """An entry point is a file or, for Java, a class with its package."""
    return (entrypoint, entrypoint.replace(".", "/")) if entrypoint else ()
