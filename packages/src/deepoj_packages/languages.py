"""The format's codes of programming languages: by file ending, and which of our languages they mean."""

from pathlib import PurePosixPath

# As the format lists them, but .pl is Perl: we have no Prolog.
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
# The preferred one first; where it is not installed, the next is tried.
_SLUGS = {
    "c": ("c11", "c17"),
    "cpp": ("cpp20", "cpp17"),
    "go": ("go",),
    "java": ("java17", "java21"),
    "javascript": ("node",),
    "pascal": ("pascal",),
    "perl": ("perl",),
    "python3": ("python3", "pypy3"),
    "ruby": ("ruby",),
    "rust": ("rust",),
}
_HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".inc"})
_ENTRY_STEMS = ("main", "Main", "__main__", "validate", "validator")


def language_of(file: PurePosixPath) -> str | None:
    return _ENDINGS.get(file.suffix)


def is_header(file: PurePosixPath) -> bool:
    return file.suffix in _HEADERS


def slugs_of(code: str) -> tuple[str, ...]:
    """Ours, the preferred one first; a code that is already ours, or unknown, is returned as it is."""
    return _SLUGS.get(code, (code,))


def main_of(files: tuple[PurePosixPath, ...], language: str, name: str, entrypoint: str) -> PurePosixPath:
    """The file a program starts in: the entry point, else a usual name, else the program's own."""
    sources = [file for file in files if language_of(file) == language] or list(files)
    wanted = ((entrypoint,) if entrypoint else ()) + (*_ENTRY_STEMS, PurePosixPath(name).stem)
    for stem in wanted:
        for file in sources:
            if stem in {file.stem, file.name}:
                return file
    return sources[0]
