"""Our own comparisons as checkers in C++ that are called as testlib's are, and known when they come back."""

from pathlib import Path

from deepoj_packages.refusal import unsupported
from deepoj_packages.spec import DefaultValidator, LineValidator

Comparison = tuple[DefaultValidator | LineValidator, tuple[str, ...]]
"""With the flags it has in every case."""
_SOURCE = r"""
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static std::string text(const char *name, bool lines) {
    std::ifstream file(name, std::ios::binary);
    std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return lines && all.compare(0, 3, "\xEF\xBB\xBF") == 0 ? all.substr(3) : all;
}

static std::vector<std::string> lines(const std::string &all) {
    std::vector<std::string> found(1);
    for (std::size_t at = 0; at < all.size(); at++) {
        if (all[at] == '\n' || all[at] == '\r') {
            if (all[at] == '\r' && at + 1 < all.size() && all[at + 1] == '\n') at++;
            found.emplace_back();
        } else {
            found.back() += all[at];
        }
    }
    for (std::string &line : found) line.erase(line.find_last_not_of(" \t\v\f") + 1);
    while (!found.empty() && found.back().empty()) found.pop_back();
    return found;
}

static std::vector<std::string> tokens(const std::string &all, bool fold) {
    std::vector<std::string> found;
    bool inside = false;
    for (char each : all) {
        if (each == ' ' || (each >= '\t' && each <= '\r')) {
            inside = false;
            continue;
        }
        if (!inside) found.emplace_back();
        inside = true;
        found.back() += fold && each >= 'A' && each <= 'Z' ? static_cast<char>(each + 32) : each;
    }
    return found;
}

int main(int count, char **arguments) {
    if (count < 4) return 3;
    std::string output = text(arguments[2], BY_LINES), answer = text(arguments[3], BY_LINES);
    bool same = BY_LINES ? lines(output) == lines(answer)
                         : tokens(output, !CASE_SENSITIVE) == tokens(answer, !CASE_SENSITIVE);
    std::fprintf(stderr, same ? "ok\n" : "wrong answer\n");
    return same ? 0 : 1;
}
"""
_WRITTEN: tuple[Comparison, ...] = (
    (DefaultValidator(), ()),
    (DefaultValidator(), ("case_sensitive",)),
    (LineValidator(), ()),
)


def checker_source(validator: DefaultValidator | LineValidator, flags: tuple[str, ...]) -> bytes:
    """Raise PackageRefusedError for a comparison that C++ would make otherwise in some case."""
    if (validator, flags) not in _WRITTEN:
        raise unsupported(f"a package of Polygon cannot say it: a comparison with {' '.join(flags)}")
    lines, case = isinstance(validator, LineValidator), "case_sensitive" in flags
    settings = f"static const bool BY_LINES = {_word(lines)}, CASE_SENSITIVE = {_word(case)};\n"
    return (
        f"// Compares an output with the answer: checker INPUT OUTPUT ANSWER.\n{settings}{_SOURCE}".encode()
    )


def comparison_of(source: Path) -> Comparison | None:
    """Return the one that a checker of a package was written from, if it was."""
    for validator, flags in _WRITTEN:
        written = checker_source(validator, flags)
        if source.stat().st_size == len(written) and source.read_bytes() == written:
            return validator, flags
    return None


def _word(value: bool) -> str:  # noqa: FBT001 — what it writes
    return "true" if value else "false"
