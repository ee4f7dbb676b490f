from collections.abc import Callable

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import SourceFile
from deepoj_domain.question.submission_form import MOST_INCLUDED, FileNames, IncludedFiles, SubmissionForm

CPP, PYTHON, JAVA = (frozenset({language_slug(name)}) for name in ("cpp17", "python3", "java"))
GRADER = SourceFile("grader.cpp", hash_of(b"grader"))
OF_CPP = IncludedFiles(languages=CPP, files=(GRADER,), main="grader.cpp")
OF_ALL = IncludedFiles(languages=frozenset(), files=(SourceFile("data.h", hash_of(b"data")),))


def test_a_language_gets_its_own_files_or_those_of_all_the_others() -> None:
    form = SubmissionForm(included=(OF_ALL, OF_CPP))
    assert form.included_for(language_slug("cpp17")) == OF_CPP
    assert form.included_for(language_slug("java")) == OF_ALL
    assert form.needs_driver
    assert SubmissionForm(included=(OF_CPP,)).included_for(language_slug("java")) is None
    assert not SubmissionForm(included=(OF_ALL,)).needs_driver


@pytest.mark.parametrize("name", ["../a", "a/b", ".profile", "-rf", "a b", "a\n", "x" * 101, "a;b"])
def test_a_program_reads_and_writes_plain_files_beside_it(name: str) -> None:
    for names in ({"input": name}, {"output": name}):
        with pytest.raises(InvalidValueError) as refused:
            FileNames(**names)
        assert refused.value.code == "file_name"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: FileNames(input="a.txt", output="a.txt"), "file_names"),
        (lambda: IncludedFiles(languages=CPP, files=()), "included_files"),
        (lambda: IncludedFiles(languages=CPP, files=(GRADER, GRADER)), "included_files"),
        (lambda: IncludedFiles(languages=CPP, files=(GRADER,), main="stub.cpp"), "included_main"),
        (lambda: IncludedFiles(languages=CPP, files=(GRADER,), before="stub.cpp"), "included_main"),
        (lambda: IncludedFiles(languages=CPP, files=(GRADER,), after="stub.cpp"), "included_main"),
        (
            lambda: IncludedFiles(languages=CPP, files=(GRADER,), before="grader.cpp", after="grader.cpp"),
            "included_twice",
        ),
        (
            lambda: IncludedFiles(languages=CPP, files=(GRADER,), source_name="grader.cpp"),
            "included_source_name",
        ),
        (lambda: SubmissionForm(answers=True, included=(OF_CPP,)), "answers_alone"),
        (lambda: SubmissionForm(answers=True, file_names=FileNames(input="a")), "answers_alone"),
        (lambda: SubmissionForm(included=(OF_CPP, OF_CPP)), "included_twice"),
        (lambda: SubmissionForm(included=(OF_ALL, OF_ALL)), "included_twice"),
        (
            lambda: SubmissionForm(
                included=(
                    IncludedFiles(
                        languages=JAVA,
                        files=tuple(
                            SourceFile(f"{n}.java", GRADER.content) for n in range(MOST_INCLUDED + 1)
                        ),
                    ),
                )
            ),
            "too_many_included",
        ),
    ],
)
def test_a_form_that_contradicts_itself_is_refused(make: Callable[[], object], code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        make()
    assert refused.value.code == code
