"""Inputs and answers of every case, on the local disk for as long as the block lasts."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.question.suite import Suite
from deepoj_judgement.commands.judge.ports import TestData
from deepoj_judgement.commands.judge.sandbox_port import Blob


def fetch_data(data: TestData, suite: Suite) -> AbstractAsyncContextManager[Mapping[ContentHash, Blob]]:
    # A dictionary keeps the order of the cases and drops what two cases share.
    needed = dict.fromkeys(hash_ for case in suite.cases for hash_ in (case.input, case.answer))
    return data.borrow(needed)
