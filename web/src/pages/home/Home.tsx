import { useState } from "preact/hooks";
import { me } from "../../api/session";
import type { ContestSummary } from "../../api/schema";
import { t, titleOf } from "../../i18n";
import { useLanguages } from "../../solve/languages";
import { useSource } from "../../solve/useSource";
import { Workbench } from "../../solve/Workbench";
import { nameplate, site } from "../../site";
import { recall } from "../../store";
import { SubmissionTable } from "../../submissions/SubmissionTable";
import { Countdown } from "../../ui/Time";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Samples } from "../../ui/Samples";
import { Statement } from "../../ui/Statement";
import { useCall, useTitle } from "../../use";

/** What one can do now: a first problem, the contests, what one is waiting for. */
export default function Home() {
  useTitle(null);
  const slug = nameplate.value?.start_problem;
  return (
    <div class="page page-home">
      <header class="page-head">
        <h1>{nameplate.value?.name ?? "Deep-OJ"}</h1>
        <p class="page-aside">
          <a class="button" href="/problems">
            {t("home.all_problems")}
          </a>
        </p>
      </header>
      {me.value && <Open />}
      <Contests />
      {slug && <Start slug={slug} />}
      {nameplate.value && !slug && <Newest />}
      {me.value === null && site.value?.first_admin_hint && (
        <p class="hint">
          {t("account.first_admin", { file: site.value.first_admin_hint })} <a href="/login">{t("nav.sign_in")}</a>
        </p>
      )}
    </div>
  );
}

function Contests() {
  const { data, error, reload } = useCall("GET /api/contests", { query: { phase: ["running", "frozen", "before"], size: 5 } });
  if (error && !data) return <Failure of={error} retry={reload} />;
  if (!data || data.items.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="contests-title">
      <h2 id="contests-title">{t("nav.contests")}</h2>
      <ul class="cards">
        {data.items.map((contest) => (
          <ContestCard key={contest.id} contest={contest} />
        ))}
      </ul>
    </section>
  );
}

function ContestCard({ contest }: { contest: ContestSummary }) {
  const before = contest.phase === "before";
  return (
    <li class="card contest-card">
      <a href={`/contests/${contest.id}`}>{contest.title}</a>
      <span class="muted">
        {before ? t("home.starts_in") : t("home.ends_in")} <Countdown to={before ? contest.schedule.starts_at : contest.schedule.ends_at} />
      </span>
    </li>
  );
}

function Open() {
  const languages = useLanguages();
  const { data, error, reload } = useCall("GET /api/submissions", me.value ? { query: { user_id: me.value.id, status: ["pending", "dispatched", "running"], size: 5 } } : null);
  if (error && !data) return <Failure of={error} retry={reload} />;
  if (!data || data.items.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="open-title">
      <h2 id="open-title">{t("home.open")}</h2>
      <SubmissionTable rows={data.items} languages={new Map(languages.data?.items.map((each) => [each.slug, each.name]))} without={["person"]} />
    </section>
  );
}

function Start({ slug }: { slug: string }) {
  const problem = useCall("GET /api/problems/{problem}", { path: { problem: slug } });
  const languages = useLanguages();
  const allowed = (languages.data?.items ?? []).filter((each) => !problem.data?.languages.length || problem.data.languages.includes(each.slug));
  const source = useSource(problem.data?.id ?? "", problem.data ? allowed : []);
  const [input, setInput] = useState(() => recall<string>(`input.${problem.data?.id ?? ""}`, ""));
  // The problem to start with is a setting: it may not be there yet.
  if (problem.error?.status === 404) return <Newest />;
  if (problem.error && !problem.data) return <Failure of={problem.error} retry={problem.reload} />;
  if (!problem.data) return null;
  return (
    <section class="stack" aria-labelledby="start-title">
      <h2 id="start-title">
        {t("home.start_here")} <a href={`/problems/${slug}`}>{problem.data.title}</a>
      </h2>
      <div class="start">
        <div class="stack">
          <Statement problem={problem.data} />
          <Samples samples={problem.data.samples.slice(0, 1)} use={setInput} />
        </div>
        <Workbench problem={problem.data} languages={allowed} source={source} input={input} setInput={setInput} />
      </div>
    </section>
  );
}

function Newest() {
  const { data, error, reload } = useCall("GET /api/problems", { query: { size: 10 } });
  if (error && !data) return <Failure of={error} retry={reload} />;
  if (!data) return null;
  if (data.items.length === 0) {
    return (
      <Empty title={t("problems.none")}>
        <p class="muted">{t("problems.none_text")}</p>
      </Empty>
    );
  }
  return (
    <section class="stack" aria-labelledby="newest-title">
      <h2 id="newest-title">{t("home.newest")}</h2>
      <ul class="cards">
        {data.items.map((each) => (
          <li key={each.id} class="card">
            <a href={`/problems/${each.slug}`}>{titleOf(each)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
