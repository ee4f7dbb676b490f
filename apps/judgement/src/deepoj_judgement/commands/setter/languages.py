"""Which of our languages a program of a package is run in."""

from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_judgement.commands.judge.errors import LanguageNotInstalledError, UnknownLanguageError
from deepoj_judgement.commands.judge.ports import Toolchains
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_packages.languages import slugs_of


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    toolchains: Toolchains

    def __call__(self, code: str) -> Toolchain:
        """`code` is the format's or ours; of several the first that is installed."""
        missing: list[str] = []
        for slug in slugs_of(code):
            try:
                return self.toolchains.find(language_slug(slug))
            except LanguageNotInstalledError:
                missing.append(slug)
            except (UnknownLanguageError, InvalidValueError):
                continue
        if not missing:
            raise SetterFailedError(
                Reason.UNKNOWN_LANGUAGE, f"there is no language {code}: deepoj languages lists them"
            )
        row = next(row for row in self.toolchains.table() if row.slug == missing[0])
        raise SetterFailedError(
            Reason.NOT_INSTALLED,
            f"{row.name} is not installed on this machine: install the Debian package {row.package}",
        )
