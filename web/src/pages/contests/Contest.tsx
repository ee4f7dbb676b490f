import { useEffect } from "preact/hooks";
import { me } from "../../api/session";
import type { BoardCell, ContestDetail, ShownProblem } from "../../api/schema";
import { ContestPage } from "../../contest/ContestPage";
import { Knock, TakePart } from "../../contest/TakePart";
import { useContest } from "../../contest/useContest";
import { freezeText, hasBegun, rules, ScheduleFacts } from "../../contest/words";
import { t, titleOf, type Key } from "../../i18n";
import { on } from "../../live";
import type { PageProps } from "../../router";
import { Table, type Column } from "../../ui/Table";
import { useCall } from "../../use";

/** A contest at a glance: what it is, when, under which rules, one's part in it, its problems. */
export default function Contest({ params }: PageProps) {
  const id = params["id"] ?? "";
  const asked = useContest(id);
  return <ContestPage asked={asked} missing={<Knock contestId={id} changed={asked.reload} />}>{(detail) => <Overview detail={detail} changed={asked.reload} />}</ContestPage>;
}

function Overview({ detail, changed }: { detail: ContestDetail; changed: () => void }) {
  const { contest } = detail;
  const frozen = freezeText(contest);
  return (
    <>
      {contest.phase === "frozen" && frozen && <p class="banner" role="status">{frozen}</p>}
      {contest.description && <p class="contest-description">{contest.description}</p>}
      <Problems detail={detail} />
      <TakePart detail={detail} changed={changed} />
      <div class="columns">
        <section class="stack" aria-labelledby="schedule-title">
          <h2 id="schedule-title">{t("schedule.title")}</h2>
          <ScheduleFacts contest={contest} />
          {frozen && contest.phase !== "frozen" && <p>{frozen}</p>}
        </section>
        <section class="stack" aria-labelledby="rules-title">
          <h2 id="rules-title">
            {t("contest.rules")}: {t(`format.${contest.format}` as Key)}
          </h2>
          <ul>
            {rules(contest).map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
          <p class="muted">{t("contests.people", { n: contest.participants })}</p>
        </section>
      </div>
    </>
  );
}

function Problems({ detail }: { detail: ContestDetail }) {
  const { contest, participant } = detail;
  const score = useCall("GET /api/contests/{contest_id}/scoreboard/{user_id}", participant && me.value && hasBegun(contest.phase) ? { path: { contest_id: contest.id, user_id: me.value.id } } : null);
  useEffect(() => on("submission", ({ submission }) => submission.contest_id === contest.id && score.reload()), [contest.id]);
  if (contest.problems.length === 0) return contest.phase === "before" ? <p class="muted">{t("contest.problems_later")}</p> : <p class="muted">{t("contest.problems_hidden")}</p>;
  const cells = new Map(score.data?.row.cells.map((each) => [each.label, each]));
  const columns: Column<ShownProblem>[] = [
    { title: t("contest.label"), kind: "narrow", cell: (row) => <strong>{row.label}</strong> },
    { title: t("problems.title"), kind: "wide", cell: (row) => <a href={`/contests/${contest.id}/${encodeURIComponent(row.label)}`}>{titleOf(row) || row.label}</a> },
    ...(contest.problems.some((each) => each.points) ? [{ title: t("contest.points"), kind: "number" as const, cell: (row: ShownProblem) => row.points }] : []),
    ...(cells.size ? [{ title: t("problems.mine"), kind: "narrow" as const, cell: (row: ShownProblem) => <Mark of={cells.get(row.label)} points={contest.format !== "icpc"} /> }] : []),
  ];
  return (
    <section class="stack" aria-labelledby="problems-title">
      <h2 id="problems-title">{t("nav.problems")}</h2>
      <Table caption={t("nav.problems")} columns={columns} rows={contest.problems} rowKey={(row) => row.label} />
    </section>
  );
}

function Mark({ of, points }: { of: BoardCell | undefined; points: boolean }) {
  if (!of) return null;
  const parts = [
    ...(of.solved ? [<span key="s" class="verdict-AC">✓ {t("problems.mine_solved")}</span>] : []),
    ...(!of.solved && of.rejected ? [<span key="r" class="verdict-WA">✗ {t("board.tries", { n: of.rejected })}</span>] : []),
    ...(of.pending ? [<span key="p" class="verdict-waiting">? {t("board.pending", { n: of.pending })}</span>] : []),
    ...(points && of.score ? [<span key="n">{t("submission.points", { n: of.score })}</span>] : []),
    ...(of.first_to_solve ? [<span key="f">★ {t("board.first")}</span>] : []),
  ];
  return <span class="row small">{parts}</span>;
}
