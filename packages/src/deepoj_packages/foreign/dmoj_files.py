"""Files of a DMOJ problem: beside init.yml, in its archive, or made by a generator."""

from pathlib import Path, PurePosixPath

from deepoj_packages.foreign import testlib
from deepoj_packages.foreign.dmoj_flags import definitions
from deepoj_packages.foreign.dmoj_nodes import Node
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.line_ends import TextFiles
from deepoj_packages.languages import is_header, language_of
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid, unsupported
from deepoj_packages.shared.programs import program_of
from deepoj_packages.spec import Program, Recipe
from deepoj_packages.tree import Tree

_DATA = PurePosixPath("data")
_MADE = PurePosixPath("made-by-generator")
"""Where a package has what its generator made; DMOJ itself keeps no such files."""


class DmojFiles:
    def __init__(self, tree: Tree, archive: Tree | None, draft: Draft, *, binary: bool) -> None:
        self._tree = tree
        self._archive = archive
        self._draft = draft
        self._binary = binary
        self._texts = TextFiles(draft)
        self._generators: dict[tuple[tuple[str, ...], bytes], Program] = {}
        self.recipes: list[Recipe] = []

    def warn(self) -> None:
        self._texts.warn()

    def file(
        self, node: Node, key: str, name: str, to: PurePosixPath, generator: Program | None
    ) -> PurePosixPath:
        if name:
            return self._take(to, self._found_at(node, key, name))
        if generator is None:
            return self._draft.write(to, b"")
        packed = _MADE / to.relative_to(_DATA)
        if self._tree.has(packed):
            return self._take(to, self._tree.path(packed))
        self.recipes.append(self._recipe(node, to, packed, generator, to_errors=key == "out"))
        return to

    def _recipe(
        self, node: Node, to: PurePosixPath, packed: PurePosixPath, program: Program, *, to_errors: bool
    ) -> Recipe:
        read = node.text("generator_in")
        given = None
        if read:
            given = self._draft.take(
                PurePosixPath("generators", "input", f"{len(self.recipes)}"),
                self._found_at(node, "generator_in", read),
            )
        return Recipe(
            file=to,
            packed_as=packed,
            program=program,
            arguments=node.texts("generator_args"),
            input=given,
            to_errors=to_errors,
        )

    def generator(self, node: Node) -> Program | None:
        """What prints an input to standard output, and its answer to standard error."""
        holder = node.section("generator")
        if not holder.has("generator"):
            return None
        about = holder.section("generator") if holder.is_map("generator") else None
        sources = about.texts("source") if about is not None else holder.texts("generator")
        defined = b"" if about is None else definitions(self._draft, about)
        made_of = sources, defined
        if made_of not in self._generators:
            at = PurePosixPath("generators", _directory(len(self._generators) + 1, sources))
            self._generators[made_of] = program_at(
                self._tree, self._draft, at, sources, f"{holder.where}: generator", defined
            )
        return self._generators[made_of]

    def _found_at(self, node: Node, key: str, name: str) -> Path:
        for tree in (self._tree, self._archive):
            if tree is not None and tree.has(PurePosixPath(name)):
                return tree.path(PurePosixPath(name))
        raise invalid(f"{node.own.where}: {key} names {name[:80]!r}, which is not in the package")

    def _take(self, to: PurePosixPath, source: Path) -> PurePosixPath:
        return self._draft.take(to, source) if self._binary else self._texts.take(to, source)


def _directory(number: int, sources: tuple[str, ...]) -> str:
    return f"{number}-{PurePosixPath(sources[0]).stem}" if sources else str(number)


def program_at(
    tree: Tree,
    draft: Draft,
    at: PurePosixPath,
    sources: tuple[str, ...],
    where: str,
    defined: bytes = b"",
) -> Program:
    """A program of files of the package; it begins in the first, and `defined` stands before each source."""
    missing = [name for name in sources if not tree.has(PurePosixPath(name))]
    if missing or not sources:
        raise invalid(f"{where} needs {(missing or ['a file'])[0][:80]!r}, which is not in the package")
    if len({PurePosixPath(name).name for name in sources}) < len(sources):
        raise invalid(f"{where} names two files that would lie beside each other under one name")
    files = tuple(_source(tree, draft, at, PurePosixPath(name), defined) for name in sources)
    if any(file.name == testlib.HEADER for file in files):
        return program_of(at, files, entrypoint=files[0].stem)
    needing = next((name for name in sources if testlib.HEADER in tree.head(PurePosixPath(name))), None)
    found = [file for file in testlib.headers(tree, PurePosixPath()) if file.name == testlib.HEADER]
    if needing and not found:
        raise unsupported(f"{needing} needs testlib.h: put it into the package, or at the top of the archive")
    if needing:
        files = (*files, draft.put(at / testlib.HEADER, found[0]))
    return program_of(at, files, entrypoint=files[0].stem)


def _source(
    tree: Tree, draft: Draft, at: PurePosixPath, name: PurePosixPath, defined: bytes
) -> PurePosixPath:
    source = tree.path(name)
    if not defined or is_header(name):
        return draft.put(at / name.name, source)
    if language_of(name) not in {"c", "cpp"}:
        raise unsupported(f"{name} is given flags that define names, which only C and C++ know")
    if source.stat().st_size > draft.limits.text_bytes:
        raise PackageRefusedError(Reason.TOO_LARGE, f"{name} has more than {draft.limits.text_bytes} bytes")
    return draft.write(at / name.name, defined + b"#line 1\n" + source.read_bytes())
