import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call";
import type { Contest, RejudgeCount, RejudgePreview, RejudgeSelection, Verdict as Code } from "../../api/schema";
import { useNames } from "../../contest/names";
import { t, titleOf, type Key } from "../../i18n";
import { place, setQuery } from "../../router";
import { useLanguages } from "../../solve/languages";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Checkbox, Select, TextField } from "../../ui/Field";
import { Loading } from "../../ui/Loading";
import { Table } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { Verdict } from "../../ui/Verdict";
import { useAction, useCall } from "../../use";
import { Effect } from "./Effect";

const VERDICTS: readonly Code[] = ["AC", "WA", "PE", "TLE", "MLE", "OLE", "RE", "CE", "SE"];
const POLL_MS = 2000;

/** Judge again: choose and count, start with a reason, look at the effect, then make it count or throw it away. */
export function Rejudge({ contest }: { contest: Contest }) {
  const id = place.value.query.get("rejudge");
  if (id) return <Opened contest={contest} id={id} />;
  return (
    <>
      <Start contest={contest} />
      <Earlier contest={contest} />
    </>
  );
}

function Start({ contest }: { contest: Contest }) {
  const languages = useLanguages();
  const [problem, setProblem] = useState(contest.problems.find((each) => each.label === place.peek().query.get("problem"))?.problem_id ?? "");
  const [language, setLanguage] = useState("");
  const [verdicts, setVerdicts] = useState<Code[]>([]);
  const [reason, setReason] = useState("");
  const [counted, setCounted] = useState<{ of: string; answer: RejudgeCount } | null>(null);
  const filter: RejudgeSelection["filter"] = { contest_id: contest.id, ...(problem ? { problem_id: problem } : {}), ...(language ? { language } : {}), verdicts };
  const of = JSON.stringify(filter);
  const fresh = counted?.of === of ? counted.answer : null;
  const go = useAction(async () => {
    if (!fresh) return setCounted({ of, answer: await call("POST /api/admin/rejudges/count", { body: { filter } }) });
    const started = await call("POST /api/admin/rejudges", { body: { filter, reason } });
    setQuery({ rejudge: started.rejudge_id });
  });
  const outdated = fresh?.by_judge_hash.filter((each) => each.outdated).reduce((sum, each) => sum + each.submissions, 0) ?? 0;
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        void go.run();
      }}
    >
      <h2>{t("rejudge.new")}</h2>
      <p class="muted">{t("rejudge.text")}</p>
      <div class="columns">
        <Select label={t("submission.problem")} value={problem} change={setProblem} options={[{ value: "", text: t("contest.any_problem") }, ...contest.problems.map((each) => ({ value: each.problem_id, text: `${each.label}. ${titleOf(each)}` }))]} />
        <Select label={t("solve.language")} value={language} change={setLanguage} options={[{ value: "", text: t("submissions.any_language") }, ...(languages.data?.items ?? []).map((each) => ({ value: each.slug, text: each.name }))]} />
      </div>
      <fieldset>
        <legend>{t("rejudge.verdicts")}</legend>
        <p class="row">
          {VERDICTS.map((each) => (
            <Checkbox key={each} label={<Verdict code={each} />} checked={verdicts.includes(each)} change={(on) => setVerdicts(on ? [...verdicts, each] : verdicts.filter((other) => other !== each))} />
          ))}
        </p>
      </fieldset>
      {fresh && (
        <p role="status">
          <strong>{t("rejudge.counted", { n: fresh.submissions })}</strong> {outdated > 0 && t("rejudge.outdated", { n: outdated })}
        </p>
      )}
      {fresh && <TextField label={t("rulings.reason")} hint={t("rulings.reason_hint")} value={reason} change={setReason} required maxLength={1000} />}
      {go.error && <Failure of={go.error} />}
      <p class="actions">
        <button type="submit" class={fresh ? "primary" : ""} disabled={go.busy || fresh?.submissions === 0}>{fresh ? t("rejudge.start", { n: fresh.submissions }) : t("rejudge.count")}</button>
      </p>
    </form>
  );
}

function Earlier({ contest }: { contest: Contest }) {
  const { data, error, reload } = useCall("GET /api/admin/rejudges", { query: { contest_id: contest.id, size: 20 } });
  const nameOf = useNames(data?.items.map((each) => each.started_by) ?? []);
  if (error && !data) return <Failure of={error} retry={reload} />;
  if (!data) return <Loading />;
  if (data.items.length === 0) return <Empty title={t("rejudge.none")} />;
  return (
    <Table
      caption={t("rejudge.earlier")}
      rows={data.items}
      rowKey={(row) => row.id}
      columns={[
        { title: t("rejudge.earlier"), kind: "wide", cell: (row) => <a href={`?rejudge=${row.id}`}>{row.reason || row.id.slice(0, 8)}</a> },
        { title: t("rejudge.state"), kind: "narrow", cell: (row) => t(`rejudgement.${row.state}` as Key) },
        { title: t("nav.submissions"), kind: "number", cell: (row) => row.submissions },
        { title: t("submission.person"), kind: "narrow", cell: (row) => nameOf(row.started_by) },
        { title: t("submission.when"), kind: "narrow", cell: (row) => <Ago at={row.started_at} /> },
      ]}
    />
  );
}

const settled = (of: RejudgePreview): boolean => of.state === "applied" || of.state === "discarded" || (of.state === "open" && of.judged + of.failed >= of.submissions);

/** One rejudge: how far it is, which verdicts change, who moves; and the decision. */
function Opened({ contest, id }: { contest: Contest; id: string }) {
  const asked = useCall("GET /api/admin/rejudges/{rejudge_id}", { path: { rejudge_id: id }, query: { size: 1 } });
  const board = useCall("GET /api/contests/{contest_id}/rejudges/{rejudge_id}/preview", { path: { contest_id: contest.id, rejudge_id: id } });
  const { data } = asked;
  // The effect is read beside the numbers, and may be of a moment before.
  const known = data !== null && (data.state !== "open" || board.error !== null || board.data?.judged === data.judged);
  const still = data !== null && !(settled(data) && known);
  useEffect(() => {
    if (!still) return;
    const poll = setInterval(() => {
      asked.reload();
      board.reload();
    }, POLL_MS);
    return () => clearInterval(poll);
  }, [still, id]);
  const changed = (): void => {
    asked.reload();
    board.reload();
  };
  return (
    <>
      <p><a href={place.value.path}>{t("rejudge.back")}</a></p>
      {asked.error && !data && <Failure of={asked.error} retry={asked.reload} />}
      {!data && !asked.error && <Loading />}
      {data && (
        <section class="panel" aria-label={t("manage.rejudge")}>
          <h2>{t(`rejudgement.${data.state}` as Key)}</h2>
          <p role="status">{t("rejudge.standing", { judged: data.judged, failed: data.failed, total: data.submissions, changed: data.changed })}</p>
          <progress max={Math.max(1, data.submissions)} value={data.judged + data.failed} aria-label={t("rejudge.state")} />
          <Matrix of={data} />
        </section>
      )}
      <section class="panel" aria-label={t("effect_on.title")}>
        <h2>{t("effect_on.title")}</h2>
        {board.error && !board.data && <Failure of={board.error} retry={board.reload} />}
        {board.data && board.data.judged < board.data.submissions && <p class="muted">{t("rejudge.not_final")}</p>}
        {board.data && <Effect changes={board.data.changes} total={board.data.changes.length} />}
      </section>
      {data?.state === "open" && <Decide id={id} ready={settled(data) && known} moves={board.data?.changes.length ?? null} done={changed} />}
      {data?.state === "applied" && <p><a href={`/contests/${contest.id}/manage/audit`}>{t("manage.audit")}</a> · <a href={`/contests/${contest.id}/board`}>{t("contest.board")}</a></p>}
    </>
  );
}

function Matrix({ of }: { of: RejudgePreview }) {
  const olds = [...new Set(of.matrix.map((each) => each.old))];
  const news = VERDICTS.filter((each) => of.matrix.some((other) => other.new === each));
  if (of.matrix.length === 0) return <p class="muted">{t("rejudge.no_matrix")}</p>;
  return (
    <Table
      caption={t("rejudge.matrix")}
      rows={olds}
      rowKey={(old) => old ?? "none"}
      columns={[
        { title: t("rejudge.old_new"), kind: "narrow", cell: (old) => (old ? <Verdict code={old} /> : t("rejudge.no_verdict")) },
        ...news.map((next) => ({
          title: <Verdict code={next} />,
          kind: "number" as const,
          cell: (old: Code | null) => {
            const count = of.matrix.find((each) => each.old === old && each.new === next)?.count ?? 0;
            return count ? old === next ? <span class="muted">{count}</span> : <strong>{count}</strong> : "";
          },
        })),
      ]}
    />
  );
}

/** Who makes it count types how many move, and so has read it. */
function Decide({ id, ready, moves, done }: { id: string; ready: boolean; moves: number | null; done: () => void }) {
  const [typed, type] = useState("");
  const apply = useAction(async () => {
    await call("POST /api/admin/rejudges/{rejudge_id}/apply", { path: { rejudge_id: id } });
    done();
  });
  const discard = useAction(async () => {
    await call("POST /api/admin/rejudges/{rejudge_id}/discard", { path: { rejudge_id: id } });
    done();
  });
  return (
    <form
      class="panel form"
      onSubmit={(event) => {
        event.preventDefault();
        void apply.run();
      }}
    >
      <h2>{t("rejudge.decide")}</h2>
      <TextField label={t("rejudge.count_moves")} hint={ready ? t("rejudge.type_hint") : t("rejudge.wait")} value={typed} change={type} required maxLength={6} />
      {(apply.error ?? discard.error) && <Failure of={apply.error ?? discard.error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={!ready || apply.busy || moves === null || typed.trim() !== String(moves)}>{t("rejudge.apply")}</button>
        <button type="button" class="danger" disabled={discard.busy} onClick={() => void discard.run()}>{t("rejudge.discard")}</button>
      </p>
    </form>
  );
}
