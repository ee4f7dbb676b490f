import { useEffect } from "preact/hooks";
import { call } from "../../api/call";
import type { Contest, WorkState } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { place, setQuery } from "../../router";
import { Failure } from "../../ui/Failure";
import { Table } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { useAction, useCall } from "../../use";
import { Effect } from "./Effect";

const over = (state: WorkState): boolean => state === "done" || state === "failed" || state === "refused";

/** The board rebuilt from the records: a proof that it is right, or the correction. */
export function Recompute({ contest }: { contest: Contest }) {
  const chosen = place.value.query.get("work");
  const list = useCall("GET /api/contests/{contest_id}/work", { path: { contest_id: contest.id }, query: { size: 10 } });
  const begin = useAction(async () => {
    const work = await call("POST /api/contests/{contest_id}/recompute", { path: { contest_id: contest.id } });
    setQuery({ work: work.id });
    list.reload();
  });
  return (
    <>
      <section class="panel" aria-label={t("manage.recompute")}>
        <h2>{t("recompute.title")}</h2>
        <p>{t("recompute.text")}</p>
        {begin.error && <Failure of={begin.error} />}
        <p class="actions">
          <button type="button" class="primary" disabled={begin.busy} onClick={() => void begin.run()}>{t("recompute.begin")}</button>
        </p>
      </section>
      {chosen && <Progress contestId={contest.id} id={chosen} done={list.reload} />}
      {list.error && !list.data && <Failure of={list.error} retry={list.reload} />}
      {list.data && list.data.items.length > 0 && (
        <Table
          caption={t("recompute.earlier")}
          rows={list.data.items}
          rowKey={(row) => row.id}
          columns={[
            { title: t("recompute.earlier"), kind: "wide", cell: (row) => <a href={`?work=${row.id}`}>{row.kind}</a> },
            { title: t("rejudge.state"), kind: "narrow", cell: (row) => t(`work.${row.state}` as Key) },
            { title: t("submission.when"), kind: "narrow", cell: (row) => <Ago at={row.asked_at} /> },
            { title: t("rulings.reason"), cell: (row) => row.reason },
          ]}
        />
      )}
    </>
  );
}

function Progress({ contestId, id, done }: { contestId: string; id: string; done: () => void }) {
  const { data, error, reload } = useCall("GET /api/contests/{contest_id}/work/{work_id}", { path: { contest_id: contestId, work_id: id } });
  const ended = data ? over(data.state) : false;
  useEffect(() => {
    if (ended) return done();
    const poll = setInterval(reload, 1000);
    return () => clearInterval(poll);
  }, [ended, id]);
  if (error && !data) return <Failure of={error} retry={reload} />;
  if (!data) return null;
  const result = data.result;
  return (
    <section class="panel" aria-live="polite" aria-label={t("recompute.result")}>
      <h2>{t(`work.${data.state}` as Key)}</h2>
      {!ended && <progress max={Math.max(1, data.total)} {...(data.total ? { value: data.done } : {})} aria-label={t("rejudge.state")} />}
      {!ended && <p>{t("recompute.progress", { done: data.done, total: data.total })}</p>}
      {data.error && <p class="field-error">{data.error}</p>}
      {result && result.rows_changed === 0 && result.submissions_corrected === 0 && <p class="proof"><span class="verdict-AC" aria-hidden="true">✓</span> {t("recompute.nothing", { n: result.submissions })}</p>}
      {result && (result.rows_changed > 0 || result.submissions_corrected > 0) && <p>{t("recompute.changed", { submissions: result.submissions, corrected: result.submissions_corrected, rows: result.rows_changed })}</p>}
      {result && result.rows_changed > 0 && <Effect changes={result.changes} total={result.rows_changed} />}
    </section>
  );
}
