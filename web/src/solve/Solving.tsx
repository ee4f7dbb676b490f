import { useState } from "preact/hooks";
import { me } from "../api/session";
import type { Problem } from "../api/schema";
import { LOCALE_NAMES, locale, t, type Locale } from "../i18n";
import { go, place } from "../router";
import { recall } from "../store";
import { SubmissionTable } from "../submissions/SubmissionTable";
import { Empty } from "../ui/Empty";
import { Failure } from "../ui/Failure";
import { LevelName } from "../ui/LevelName";
import { Loading } from "../ui/Loading";
import { Samples } from "../ui/Samples";
import { Statement } from "../ui/Statement";
import { Tabs } from "../ui/Tabs";
import { duration, memory } from "../ui/Time";
import { useCall, useTitle } from "../use";
import { useLanguages } from "./languages";
import { limitsOf } from "./limits";
import { useSource, type Source } from "./useSource";
import { Workbench } from "./Workbench";

type Part = "statement" | "submissions" | "stats";
const PARTS: readonly Part[] = ["statement", "submissions", "stats"];

/** A problem beside its editor. In a contest it has the contest's letter and is submitted there. */
export function Solving({ problem, contestId, label }: { problem: Problem; contestId?: string; label?: string }) {
  const languages = useLanguages();
  const allowed = (languages.data?.items ?? []).filter((each) => problem.languages.length === 0 || problem.languages.includes(each.slug));
  const source = useSource(contestId ? `${contestId}.${problem.id}` : problem.id, allowed);
  const [input, setInput] = useState(() => recall<string>(`input.${problem.id}`, ""));
  const [language, setLanguage] = useState<string | null>(null);
  const hash = place.value.hash as Part;
  const part = PARTS.includes(hash) ? hash : "statement";
  const title = label ? `${label}. ${problem.title}` : problem.title;
  useTitle(title);
  const tabs = [
    { name: "statement" as const, title: t("problem.statement") },
    ...(me.value ? [{ name: "submissions" as const, title: t("problem.submissions") }] : []),
    { name: "stats" as const, title: t("problem.stats") },
  ];
  return (
    <div class="solving">
      <article class="solving-text">
        <header class="stack-tight">
          <h1>{title}</h1>
          <Facts problem={problem} source={source} chosen={language} choose={setLanguage} />
        </header>
        <Tabs label={title} tabs={tabs} chosen={part} choose={(name) => go(`${location.pathname}${name === "statement" ? "" : `#${name}`}`, { replace: true })}>
          {part === "statement" && (
            <div class="stack">
              <Statement problem={problem} chosen={language} {...(contestId ? { contestId } : {})} />
              <Samples samples={problem.samples} use={setInput} />
            </div>
          )}
          {part === "submissions" && <Own problem={problem} names={new Map(allowed.map((each) => [each.slug, each.name]))} {...(contestId ? { contestId } : {})} />}
          {part === "stats" && <Stats problem={problem} />}
        </Tabs>
      </article>
      <div class="solving-work">
        {languages.error && !languages.data && <Failure of={languages.error} retry={languages.reload} />}
        {languages.data && <Workbench problem={problem} languages={allowed} source={source} input={input} setInput={setInput} {...(contestId ? { contestId } : {})} />}
      </div>
    </div>
  );
}

function Facts({ problem, source, chosen, choose }: { problem: Problem; source: Source; chosen: string | null; choose: (locale: string) => void }) {
  const limits = limitsOf(problem.limits, source.language);
  const locales = problem.statements.map((each) => each.locale);
  return (
    <div class="row small muted problem-facts">
      {limits.memory !== null && <span>{memory(limits.memory)}</span>}
      {problem.level && <LevelName of={problem.level} />}
      {problem.tags.length > 0 && (
        <details class="tags-folded">
          <summary>{t("problems.tags")}</summary>
          {problem.tags.map((tag) => (
            <a key={tag} class="tag" href={`/problems?tag=${encodeURIComponent(tag)}`}>
              {tag}
            </a>
          ))}
        </details>
      )}
      {/* After all that the server knows too: it is longer than what stood here. */}
      {limits.time !== null && <span>{t("problem.time_limit", { time: duration(limits.time), language: source.language?.name ?? "" })}</span>}
      {locales.length > 1 && (
        <label>
          <span class="visually-hidden">{t("problem.language")}</span>
          <select value={chosen ?? locales.find((each) => each.startsWith(locale.value)) ?? locales[0]} onChange={(event) => choose(event.currentTarget.value)}>
            {locales.map((each) => (
              <option key={each} value={each} lang={each}>
                {LOCALE_NAMES[each as Locale] ?? each}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

function Own({ problem, contestId, names }: { problem: Problem; contestId?: string; names: ReadonlyMap<string, string> }) {
  const query = { user_id: me.value?.id ?? "", problem_id: problem.id, ...(contestId ? { contest_id: contestId } : {}), size: 50 };
  const { data, error, reload } = useCall("GET /api/submissions", me.value ? { query } : null);
  if (error && !data) return <Failure of={error} retry={reload} />;
  if (!data) return <Loading />;
  if (data.items.length === 0) return <Empty title={t("problem.no_submissions")} />;
  return <SubmissionTable rows={data.items} languages={names} without={["problem", "person"]} />;
}

function Stats({ problem }: { problem: Problem }) {
  const { data, error, reload } = useCall("GET /api/problems/{problem}/statistics", { path: { problem: problem.id } });
  if (error && !data) return <Failure of={error} retry={reload} />;
  if (!data) return <Loading />;
  if (!data.submitted) return <Empty title={t("problem.stats_none")} />;
  const share = Math.round((data.accepted / data.submitted) * 100);
  return (
    <div class="stack">
      <p>{t("problem.stats_text", { submitted: data.submitted, accepted: data.accepted, share })}</p>
      <meter class="meter" min={0} max={100} value={share} aria-label={t("problem.stats")} />
    </div>
  );
}
