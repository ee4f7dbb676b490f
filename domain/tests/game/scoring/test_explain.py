"""Why a rank is what it is: each submission's effect, and one sentence on the next better rank."""

from dataclasses import replace

import pytest

from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.board import board_for
from deepoj_domain.game.scoring.explain import explain_rank, explain_submissions
from deepoj_domain.game.scoring.policy import GapCode as Code
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.scoring.tally import score_participant
from deepoj_domain.game.scoring.testing import at, cancelled, rejudged, sent
from deepoj_domain.game.scoring.tries import Effect
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, a_game, a_participant, uuid

CAROL = AccountId(uuid(4))
ICPC, IOI, OI = Format.ICPC, Format.IOI, Format.OI
ATCODER, CODEFORCES = Format.ATCODER, Format.CODEFORCES


def rules(game_format: Format = ICPC) -> Rules:
    return rules_of(a_game(game_format))


@pytest.mark.parametrize(
    ("game_format", "script", "effects"),
    [
        (ICPC, "CE@1 WA@2 SE@3 ?@4", "compile_error rejected system_error pending"),
        (ICPC, "WA@2 ?@4 AC@5 WA@6", "penalty pending accepted after_accepted"),
        (ICPC, "WA@1 WA@2", "rejected rejected"),
        (ICPC, "AC@300", "after_end"),
        (ATCODER, "WA@1 AC@2 AC@3", "penalty accepted after_accepted"),
        (CODEFORCES, "WA@1 AC@2 AC@3", "penalty accepted after_accepted"),
        (IOI, "WA@1/10+0 WA@2/5+0 ?@3 CE@4 AC@5/40+60", "improved not_better pending compile_error improved"),
        (OI, "WA@1/10 CE@2 SE@3 ?@4", "replaced last system_error pending"),
    ],
)
def test_each_submission_has_its_effect(game_format: Format, script: str, effects: str) -> None:
    explained = explain_submissions(rules(game_format), a_participant(), sent(script), is_frozen=False)
    assert " ".join(one.effect for one in explained) == effects
    assert {one.label for one in explained} == {"A"}


@pytest.mark.parametrize("game_format", list(Format))
def test_a_frozen_view_says_nothing_of_later_verdicts(game_format: Format) -> None:
    log = sent("WA@10/10 WA@240/30 AC@250/100")
    explained = explain_submissions(rules(game_format), a_participant(), log, is_frozen=True)
    assert [one.effect for one in explained[1:]] == [Effect.FROZEN, Effect.FROZEN]
    assert [one.fact.verdict for one in explained] == [Verdict.WRONG_ANSWER, None, None]


def test_the_freeze_withholds_verdicts_of_submissions_that_do_not_count_too() -> None:
    log = sent("AC@10 WA@250 AC@310")
    explained = explain_submissions(rules(), a_participant(), log, is_frozen=True)
    assert [one.effect for one in explained] == [Effect.ACCEPTED, Effect.AFTER_ACCEPTED, Effect.AFTER_END]
    assert [one.fact.verdict for one in explained] == [Verdict.ACCEPTED, None, None]


def test_submissions_that_never_take_part_say_why() -> None:
    first, second, third = sent("WA@1 WA@2 AC@3")
    ignoring = a_game().ignore(first.origin_id, NOW)
    assert isinstance(ignoring, Game)
    log = [first, cancelled(second, 3), third]
    explained = explain_submissions(rules_of(ignoring), a_participant(), log, is_frozen=False)
    assert [one.effect for one in explained] == [Effect.IGNORED, Effect.CANCELLED, Effect.ACCEPTED]


def test_what_came_before_ones_own_start_says_so() -> None:
    runner = replace(
        a_participant(), kind=ParticipantKind.VIRTUAL, virtual_start=NOW.replace(hour=NOW.hour + 6)
    )
    explained = explain_submissions(rules(), runner, sent("AC@10 AC@370"), is_frozen=False)
    assert [one.effect for one in explained] == [Effect.BEFORE_START, Effect.ACCEPTED]
    assert explained[1].elapsed_ms == 10 * 60_000


def test_an_explanation_of_the_past_knows_what_was_known_then() -> None:
    (wrong,) = sent("WA@10")
    log = [wrong, rejudged(wrong, Verdict.ACCEPTED, 100)]
    for minute, effect in ((10, Effect.PENDING), (20, Effect.REJECTED), (100, Effect.ACCEPTED)):
        (one,) = explain_submissions(rules(), a_participant(), log, is_frozen=False, at_us=at(minute))
        assert one.effect is effect


@pytest.mark.parametrize(
    ("game_format", "better", "mine", "gap", "sentence"),
    [
        (ICPC, "AC@10", "WA@10", (Code.SOLVED, 1), "Rank 2: rank 1 has solved 1 problem more."),
        (
            ICPC,
            "AC@10",
            "AC@15",
            (Code.PENALTY_MINUTES, 5),
            "Rank 2: rank 1 has solved as many with 5 minutes less penalty.",
        ),
        (
            ICPC,
            "AC@30:01",
            "AC@30:50",
            (Code.NOBODY_BETTER, 0),
            "Shares rank 1 with 1 equal: nobody is better.",
        ),
        (IOI, "WA@1/40", "WA@1/10", (Code.POINTS_MICROS, 30_000_000), "Rank 2: rank 1 has 30 points more."),
        (OI, "WA@1/40", "WA@1/10", (Code.POINTS_MICROS, 30_000_000), "Rank 2: rank 1 has 30 points more."),
        (
            CODEFORCES,
            "AC@0",
            "AC@100",
            (Code.POINTS_MICROS, 40_000_000),
            "Rank 2: rank 1 has 40 points more.",
        ),
        (ATCODER, "AC@10", "WA@10", (Code.POINTS_MICROS, 100_000_000), "Rank 2: rank 1 has 100 points more."),
        (
            ATCODER,
            "AC@10",
            "AC@10:01",
            (Code.SECONDS, 1),
            "Rank 2: rank 1 has as many points in 1 second less.",
        ),
    ],
)
def test_one_sentence_separates_two_ranks(
    game_format: Format, better: str, mine: str, gap: tuple[Code, int], sentence: str
) -> None:
    scripts = {BOB: better, ALICE: mine}
    governed = rules(game_format)
    tallies = [
        score_participant(governed, a_participant(account_id), sent(script, account_id))
        for account_id, script in scripts.items()
    ]
    board = board_for(governed, tallies, BoardView.ADMIN, is_frozen=False)
    found = explain_rank(governed.policy, board, ALICE)
    assert (found.code, found.by) == gap
    assert found.sentence == sentence


def test_the_last_accepted_minute_separates_equal_penalties() -> None:
    game = a_game()
    second = replace(game.plan.problems[0], label="B", question_id=QuestionId(uuid(11)))
    governed = rules_of(replace(game, plan=replace(game.plan, problems=(*game.plan.problems, second))))
    scripts = {ALICE: ("AC@40", "AC@50"), BOB: ("AC@45", "AC@45")}
    tallies = [
        score_participant(
            governed,
            a_participant(account_id),
            [
                fact
                for script, problem in zip(both, governed.problems, strict=True)
                for fact in sent(script, account_id, problem.question_id)
            ],
        )
        for account_id, both in scripts.items()
    ]
    board = board_for(governed, tallies, BoardView.ADMIN, is_frozen=False)
    assert explain_rank(governed.policy, board, ALICE).sentence == (
        "Rank 2: rank 1 has as many with the same penalty, but solved its last one 5 minutes earlier."
    )


def test_who_takes_no_rank_is_told_so() -> None:
    governed = rules()
    guest = replace(a_participant(), kind=ParticipantKind.UNOFFICIAL)
    board = board_for(governed, [score_participant(governed, guest, ())], BoardView.ADMIN, is_frozen=False)
    assert explain_rank(governed.policy, board, ALICE).sentence == "Out of competition: takes no rank."
    assert explain_rank(governed.policy, board, CAROL).sentence == "Not on this board."
