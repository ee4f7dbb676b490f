import { useEffect } from "preact/hooks";
import { me } from "../../api/session";
import type { ContestDetail, Verdict } from "../../api/schema";
import { ContestPage } from "../../contest/ContestPage";
import { useContest } from "../../contest/useContest";
import { isOver } from "../../contest/words";
import { t, titleOf, type Key } from "../../i18n";
import { on } from "../../live";
import { place, setQuery, type PageProps } from "../../router";
import { useLanguages } from "../../solve/languages";
import { SubmissionTable } from "../../submissions/SubmissionTable";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { useCall } from "../../use";

const VERDICTS: readonly Verdict[] = ["AC", "WA", "PE", "TLE", "MLE", "OLE", "RE", "CE", "SE"];
const chosen = (name: string): string => place.value.query.get(name) ?? "";
const choose = (name: string, value: string): void => setQuery({ [name]: value || null, cursor: null });

export default function ContestSubmissions({ params }: PageProps) {
  const asked = useContest(params["id"] ?? "");
  return (
    <ContestPage asked={asked} tab={t("nav.submissions")}>
      {(detail) => <List detail={detail} />}
    </ContestPage>
  );
}

/** One's own; those of all for the staff, and for everybody after the end. */
function List({ detail }: { detail: ContestDetail }) {
  const { contest, staff } = detail;
  const reader = me.value;
  const mayAll = staff || isOver(contest.phase);
  const all = mayAll && (chosen("whose") ? chosen("whose") === "all" : staff);
  const verdict = VERDICTS.find((each) => each === chosen("verdict"));
  const problem = contest.problems.find((each) => each.label === chosen("problem"));
  const user = chosen("user");
  const languages = useLanguages();
  const query = {
    contest_id: contest.id,
    ...(user && mayAll ? { user_id: user } : all || !reader ? {} : { user_id: reader.id }),
    ...(problem ? { problem_id: problem.problem_id } : {}),
    ...(verdict ? { verdict: [verdict] } : {}),
    cursor: presentCursor(),
    size: 50,
  };
  const { data, error, reload } = useCall("GET /api/submissions", reader ? { query } : null);
  useEffect(() => on("submission", ({ submission }) => submission.contest_id === contest.id && reload()), [contest.id]);
  if (reader === null) {
    return (
      <Empty title={t("kind.unauthenticated")}>
        <a class="button" href={`/login?next=${encodeURIComponent(place.value.path)}`}>{t("nav.sign_in")}</a>
      </Empty>
    );
  }
  const names = new Map(languages.data?.items.map((each) => [each.slug, each.name]));
  return (
    <>
      <h1>{t("nav.submissions")}</h1>
      <search class="filters">
        {mayAll && <Choice name="whose" label={t("submissions.whose")} value={all ? "all" : "mine"} options={[["mine", t("submissions.mine")], ["all", t("submissions.all")]]} />}
        <Choice name="problem" label={t("submission.problem")} value={problem?.label ?? ""} options={[["", t("contest.any_problem")], ...contest.problems.map((each): [string, string] => [each.label, `${each.label}. ${titleOf(each)}`])]} />
        <Choice name="verdict" label={t("submission.verdict")} value={verdict ?? ""} options={[["", t("submissions.any_verdict")], ...VERDICTS.map((each): [string, string] => [each, t(`verdict.${each}` as Key)])]} />
        {user && <button type="button" onClick={() => choose("user", "")}>{t("problems.show_all")}</button>}
      </search>
      {error && !data && <Failure of={error} retry={reload} />}
      {!data && !error && <Loading />}
      {data && data.items.length > 0 && <SubmissionTable rows={data.items} languages={names} without={all || user ? [] : ["person"]} />}
      {data?.items.length === 0 && <Empty title={t("contest.no_submissions")} />}
      <Pagination next={data?.page.next_cursor} />
    </>
  );
}

function Choice({ name, label, value, options }: { name: string; label: string; value: string; options: readonly (readonly [string, string])[] }) {
  return (
    <label>
      <span class="visually-hidden">{label}</span>
      <select value={value} onChange={(event) => choose(name, event.currentTarget.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>{text}</option>
        ))}
      </select>
    </label>
  );
}
