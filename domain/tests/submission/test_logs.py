"""Who may read what was kept of a judged submission."""

from itertools import product

import pytest

from deepoj_domain.submission.logs import DATA, Log, may_read_log
from deepoj_domain.submission.visibility import Sight

YES_NO = (False, True)
OF_RUNS = set(Log) - {Log.MANIFEST}


def reads(log: Log, sight: Sight = Sight.EVERYTHING, **rights: bool) -> bool:
    usual = {"inspects": False, "reads": True, "is_sample": True, "is_over": True, "is_staff": False}
    return may_read_log(log, sight=sight, **(usual | rights))


@pytest.mark.parametrize("sight", sorted(set(Sight) - {Sight.EVERYTHING}))
def test_who_is_not_shown_everything_reads_nothing(sight: Sight) -> None:
    for log, rights, is_sample in product(Log, YES_NO, YES_NO):
        assert not reads(log, sight, inspects=rights, is_staff=rights, is_sample=is_sample)


def test_an_owner_reads_what_their_program_printed_for_samples_and_what_the_compiler_said() -> None:
    own = {Log.COMPILE, Log.STDOUT, Log.STDERR, Log.INPUT, Log.ANSWER}
    assert {log for log in Log if reads(log)} == own
    assert {log for log in Log if reads(log, is_over=False)} == {Log.COMPILE}


def test_of_a_hidden_case_an_owner_reads_nothing_for_a_program_may_print_its_input() -> None:
    assert {log for log in Log if reads(log, is_sample=False)} == {Log.COMPILE}


def test_samples_of_a_question_that_is_hidden_now_are_hidden() -> None:
    assert not any(reads(log, reads=False) for log in DATA)


def test_who_inspects_the_question_reads_all_but_the_data_of_hidden_cases() -> None:
    for is_over in YES_NO:
        assert all(reads(log, inspects=True, reads=False, is_over=is_over) for log in OF_RUNS)
        hidden = {log for log in OF_RUNS if reads(log, inspects=True, is_sample=False, is_over=is_over)}
        assert hidden == OF_RUNS - DATA


def test_what_is_told_of_our_machines_is_for_the_staff_alone() -> None:
    assert reads(Log.MANIFEST, is_staff=True, reads=False, is_sample=False, is_over=False)
    assert not reads(Log.MANIFEST, inspects=True)
    assert not any(reads(log, is_staff=True) for log in (Log.CHECKER, Log.RESOURCE))
