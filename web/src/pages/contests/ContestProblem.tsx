import { ContestPage } from "../../contest/ContestPage";
import { useContest } from "../../contest/useContest";
import { t } from "../../i18n";
import type { PageProps } from "../../router";
import type { ContestDetail } from "../../api/schema";
import { Solving } from "../../solve/Solving";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { useCall } from "../../use";
import { hasBegun } from "../../contest/words";

/** A problem of a contest, beside an editor whose submissions count there. */
export default function ContestProblem({ params }: PageProps) {
  const asked = useContest(params["id"] ?? "");
  return (
    <ContestPage asked={asked} wide>
      {(detail) => <Chosen detail={detail} label={params["label"] ?? ""} />}
    </ContestPage>
  );
}

function Chosen({ detail, label }: { detail: ContestDetail; label: string }) {
  const { contest } = detail;
  const found = contest.problems.find((each) => each.label === label);
  const problem = useCall("GET /api/problems/{problem}", found ? { path: { problem: found.problem_id }, query: { contest_id: contest.id } } : null);
  if (!found) {
    return (
      <div class="page">
        <h1>{label}</h1>
        <Empty title={contest.problems.length ? t("contest.no_such_label", { label }) : hasBegun(contest.phase) ? t("contest.problems_hidden") : t("contest.problems_later")}>
          <a class="button" href={`/contests/${contest.id}`}>{t("contest.overview")}</a>
        </Empty>
      </div>
    );
  }
  if (problem.error && !problem.data) {
    return (
      <div class="page">
        <Failure of={problem.error} retry={problem.reload} />
      </div>
    );
  }
  if (!problem.data) return <Loading />;
  // Before and after, or without a part in it, a submission would be refused there.
  const counts = detail.participant || detail.staff;
  return (
    <>
      {!counts && (
        <p class="banner" role="status">
          {t("contest.not_in")} <a href={`/contests/${contest.id}`}>{t("contest.overview")}</a>
        </p>
      )}
      <Solving problem={problem.data} contestId={contest.id} label={label} />
    </>
  );
}
