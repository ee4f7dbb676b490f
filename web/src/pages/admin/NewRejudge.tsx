import { useRef, useState } from "preact/hooks";
import { call } from "../../api/call";
import type { RejudgeCount, RejudgeSelection, Verdict } from "../../api/schema";
import { t } from "../../i18n";
import { randomId } from "../../random";
import { useLanguages } from "../../solve/languages";
import { go, place, setQuery } from "../../router";
import { Failure } from "../../ui/Failure";
import { Select, TextField } from "../../ui/Field";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { SIGNS } from "../../ui/Verdict";
import { useAction } from "../../use";
import { ContestPicker } from "./ContestPicker";
import { useProblems } from "./names";

type Filter = RejudgeSelection["filter"];
const VERDICTS = Object.keys(SIGNS) as Verdict[];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** 128 bits as the API writes ids. */
const newId = (): string => randomId().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** What is chosen is in the address, so that a link can fill it in. */
const chosen = (name: string): string => place.value.query.get(name) ?? "";

async function filterOf(): Promise<Filter> {
  const [problem, person, contest, language] = ["problem", "user", "contest", "language"].map((each) => chosen(each).trim()) as [string, string, string, string];
  const filter: Filter = { verdicts: VERDICTS.filter((each) => chosen("verdicts").split(",").includes(each)) };
  filter.problem_revisions = chosen("revisions").split(/[ ,]+/).map(Number).filter((each) => each > 0);
  if (problem) filter.problem_id = UUID.test(problem) ? problem : (await call("GET /api/problems/{problem}", { path: { problem } })).id;
  if (person) filter.user_id = UUID.test(person) ? person : (await call("GET /api/users/by-name/{name}", { path: { name: person } })).id;
  if (contest) filter.contest_id = contest;
  if (language) filter.language = language;
  return filter;
}

/** Choose, count, say why, start: nothing is judged again before its number is on the screen. */
export function NewRejudge() {
  const [counted, setCounted] = useState<{ filter: Filter; query: string; count: RejudgeCount } | null>(null);
  const [reason, setReason] = useState("");
  // Made once: the same request twice starts one rejudge.
  const id = useRef(newId());
  const languages = useLanguages().data?.items ?? [];
  const query = place.value.query.toString();
  const count = useAction(async () => {
    const filter = await filterOf();
    setCounted({ filter, query, count: await call("POST /api/admin/rejudges/count", { body: { filter } }) });
  });
  const start = useAction(async (filter: Filter) => {
    const started = await call("POST /api/admin/rejudges", { body: { rejudge_id: id.current, filter, reason } });
    go(`/admin/rejudges/${started.rejudge_id}`);
  });
  const set = (name: string) => (value: string) => setQuery({ [name]: value || null });
  const picked = chosen("verdicts").split(",").filter(Boolean);
  const present = counted?.query === query ? counted : null;
  const empty = !["problem", "user", "contest", "language"].some(chosen);
  return (
    <Section title={t("rejudges.new")}>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          void (present && present.count.submissions > 0 ? start.run(present.filter) : count.run());
        }}
      >
        <div class="field-grid">
          <TextField label={t("rejudges.problem")} hint={t("rejudges.problem_hint")} value={chosen("problem")} change={set("problem")} maxLength={64} />
          <TextField label={t("rejudges.revisions")} hint={t("rejudges.revisions_hint")} value={chosen("revisions")} change={set("revisions")} maxLength={200} />
          <TextField label={t("rejudges.user")} value={chosen("user")} change={set("user")} maxLength={64} />
          <Select label={t("rejudges.language")} value={chosen("language")} change={set("language")} options={[{ value: "", text: t("rejudges.any_language") }, ...languages.map((each) => ({ value: each.slug, text: each.name }))]} />
          <ContestPicker chosen={chosen("contest")} choose={set("contest")} />
        </div>
        <fieldset>
          <legend>{t("rejudge.verdicts")}</legend>
          <div class="row">
            {VERDICTS.map((each) => (
              <label key={each} class="checkbox">
                <input type="checkbox" checked={picked.includes(each)} onChange={(event) => set("verdicts")((event.currentTarget.checked ? [...picked, each] : picked.filter((other) => other !== each)).join(","))} />
                <span>
                  {SIGNS[each]} {each}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {count.error && <Failure of={count.error} />}
        {present && <Counted count={present.count} />}
        {present && present.count.submissions > 0 && <TextField label={t("rejudges.reason")} hint={t("rejudges.reason_hint")} value={reason} change={setReason} maxLength={500} required />}
        {start.error && <Failure of={start.error} />}
        <p class="actions">
          {present && present.count.submissions > 0 ? (
            <button type="submit" class="primary" disabled={start.busy}>
              {t("rejudges.start", { n: present.count.submissions })}
            </button>
          ) : (
            <button type="submit" disabled={count.busy || empty}>
              {t("rejudges.count")}
            </button>
          )}
          <span class="muted small">{empty ? t("rejudges.choose") : t("rejudges.promise")}</span>
        </p>
      </form>
    </Section>
  );
}

function Counted({ count }: { count: RejudgeCount }) {
  const problems = useProblems(count.by_judge_hash.map((each) => each.problem_id));
  return (
    <div class="stack" role="status">
      <p>
        <strong>{t("rejudges.counted", { n: count.submissions })}</strong>
      </p>
      {count.by_judge_hash.length > 0 && (
        <Table
          caption={t("rejudges.by_hash")}
          rows={count.by_judge_hash}
          rowKey={(row) => `${row.problem_id} ${row.judge_hash}`}
          columns={[
            { title: t("submission.problem"), kind: "wide", cell: (row) => problems(row.problem_id) },
            { title: t("again.hash"), cell: (row) => <code title={row.judge_hash ?? ""}>{row.judge_hash?.slice(0, 12) ?? "—"}</code> },
            { title: t("rejudges.revisions"), cell: (row) => row.problem_revisions.join(", ") },
            { title: t("rejudges.age"), kind: "narrow", cell: (row) => t(row.outdated ? "rejudges.outdated" : "rejudges.present") },
            { title: t("rejudges.submissions"), kind: "number", cell: (row) => row.submissions },
          ]}
        />
      )}
    </div>
  );
}
