"""Who made the problem and how it may be used."""

import re

from deepoj_packages.refusal import invalid
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Person
from deepoj_packages.yamls import Section

_PERSON = re.compile(r"(.*)<([^<>]+)>")
LICENSES = ("unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission")


def person_of(entry: str | Section) -> Person:
    if isinstance(entry, Section):
        name = entry.text("name")
        if not name:
            raise invalid(f"{entry.where}: a person needs a name")
        return Person(
            name=name,
            email=entry.text("email"),
            orcid=entry.text("orcid"),
            kattis=entry.text("kattis"),
        )
    found = _PERSON.fullmatch(entry.strip())
    return Person(name=found[1].rstrip(), email=found[2]) if found else Person(name=entry.strip())


def read_license(reading: Reading, section: Section) -> str:
    value = section.text("license", "unknown").lower()
    if value not in LICENSES:
        reading.warn(f"{section.where}: the license {value!r} is not one of the format's")
    return value
