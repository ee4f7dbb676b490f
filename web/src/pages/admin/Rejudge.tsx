import { useState } from "preact/hooks";
import { call } from "../../api/call";
import type { RejudgePreview, Verdict as Code } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { Verdict } from "../../ui/Verdict";
import { useAction, useCall, useEvery } from "../../use";
import { BoardEffects, useMoves } from "./BoardEffect";
import { VerdictMatrix } from "./VerdictMatrix";

const underWay = (rejudge: RejudgePreview): boolean => rejudge.state.endsWith("ing") || (rejudge.state === "open" && rejudge.judged + rejudge.failed < rejudge.submissions);

/** What a rejudge would change, as far as it is judged, and the two ways to end it. */
export function Rejudge({ id }: { id: string }) {
  const rejudge = useCall("GET /api/admin/rejudges/{rejudge_id}", { path: { rejudge_id: id }, query: { cursor: presentCursor(), size: 50 } });
  useEvery(2000, rejudge.data ? underWay(rejudge.data) : false, rejudge.reload);
  return (
    <>
      <p>
        <a href="/admin/rejudges">{t("rejudges.all")}</a>
      </p>
      <Answered of={rejudge}>{(data) => <Shown id={id} rejudge={data} changed={rejudge.reload} />}</Answered>
      <Pagination next={rejudge.data?.page.next_cursor} />
    </>
  );
}

function Shown({ id, rejudge, changed }: { id: string; rejudge: RejudgePreview; changed: () => void }) {
  const { moves, tell } = useMoves();
  const { contests } = rejudge;
  const done = rejudge.judged + rejudge.failed;
  return (
    <>
      <div class="panel" role="status">
        <p>
          <strong>{t(`rejudge.${rejudge.state}` as Key)}.</strong> {t(`rejudge.${rejudge.state}_text` as Key)}
        </p>
        <progress class="meter" max={Math.max(1, rejudge.submissions)} value={done} aria-label={t("rejudge.progress")} />
        <p>
          {t("rejudge.numbers", { done, total: rejudge.submissions, changed: rejudge.changed })} {rejudge.failed > 0 && t("rejudge.failed", { n: rejudge.failed })}
        </p>
        {rejudge.state === "applied" && <p>{t("rejudge.fates", { applied: rejudge.applied, dropped: rejudge.dropped })}</p>}
      </div>
      {rejudge.state === "open" && <Ends id={id} moves={moves(contests)} unfinished={done < rejudge.submissions} changed={changed} />}
      <Section title={t("rejudge.matrix")}>{rejudge.matrix.length ? <VerdictMatrix cells={rejudge.matrix} /> : <Empty title={t("rejudge.nothing_judged")} />}</Section>
      {rejudge.state === "open" && contests.length > 0 && <BoardEffects contests={contests} rejudge={id} judged={rejudge.judged} tell={tell} />}
      <Section title={t("rejudge.each")}>
        {rejudge.items.length === 0 ? (
          <Empty title={t("rejudge.no_items")} />
        ) : (
          <Table
            caption={t("rejudge.each")}
            rows={rejudge.items}
            rowKey={(row) => row.new_submission_id}
            columns={[
              { title: t("rejudge.before"), kind: "narrow", cell: (row) => <Side id={row.old_submission_id} verdict={row.old_verdict} score={row.old_score} /> },
              { title: t("rejudge.after"), kind: "narrow", cell: (row) => <Side id={row.new_submission_id} verdict={row.new_verdict} score={row.new_score} /> },
              { title: t("rejudge.effect"), cell: (row) => (row.new_verdict === null ? t("rejudge.not_yet") : row.old_verdict === row.new_verdict && row.old_score === row.new_score ? t("rejudge.same") : t("rejudge.differs")) },
              { title: t("rejudge.fate"), kind: "narrow", cell: (row) => t(`fate.${row.fate}` as Key) },
            ]}
          />
        )}
      </Section>
    </>
  );
}

function Side({ id, verdict, score }: { id: string; verdict: Code | null; score: number | null }) {
  return (
    <a class="plain" href={`/submissions/${id}`}>
      {verdict ? <Verdict code={verdict} /> : "—"} {score !== null && <span class="muted numbers">{score}</span>}
    </a>
  );
}

/** Apply or discard. Where people move on a board, their number is typed first. */
function Ends({ id, moves, unfinished, changed }: { id: string; moves: number | null; unfinished: boolean; changed: () => void }) {
  const [typed, type] = useState("");
  const apply = useAction(async () => {
    const { applied, dropped } = await call("POST /api/admin/rejudges/{rejudge_id}/apply", { path: { rejudge_id: id } });
    notify(t("rejudge.fates", { applied, dropped }), { tone: "good" });
    changed();
  });
  const discard = useAction(async () => {
    await call("POST /api/admin/rejudges/{rejudge_id}/discard", { path: { rejudge_id: id } });
    changed();
  });
  const error = apply.error ?? discard.error;
  return (
    <form
      class="form stack"
      onSubmit={(event) => {
        event.preventDefault();
        void apply.run();
      }}
    >
      {moves !== null && moves > 0 && <TextField label={t("rejudge.type_moves", { n: moves })} value={typed} change={type} maxLength={8} />}
      {error && <Failure of={error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={apply.busy || discard.busy || unfinished || moves === null || (moves > 0 && Number(typed) !== moves)}>
          {t("rejudge.apply")}
        </button>
        <button type="button" class="danger" disabled={apply.busy || discard.busy} onClick={() => void discard.run()}>
          {t("rejudge.discard")}
        </button>
        {unfinished && <span class="muted small">{t("rejudge.wait")}</span>}
      </p>
    </form>
  );
}
