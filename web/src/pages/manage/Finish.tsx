import { useState } from "preact/hooks";
import { call } from "../../api/call";
import type { Contest } from "../../api/schema";
import { isOver } from "../../contest/words";
import { t } from "../../i18n";
import { go } from "../../router";
import { Failure } from "../../ui/Failure";
import { TextField } from "../../ui/Field";
import { Loading } from "../../ui/Loading";
import { Table } from "../../ui/Table";
import { At } from "../../ui/Time";
import { useAction, useCall } from "../../use";

/** The end of a contest: nothing undecided, unfreeze, make official; and back, if it has to be. */
export function Finish({ contest, changed }: { contest: Contest; changed: () => void }) {
  const path = { contest_id: contest.id };
  const [reason, setReason] = useState("");
  const undecided = useCall("GET /api/contests/{contest_id}/undecided", { path });
  const act = useAction(async (what: "unfreeze" | "finalize" | "reopen" | "delete") => {
    switch (what) {
      case "unfreeze":
        await call("POST /api/contests/{contest_id}/unfreeze", { path });
        break;
      case "finalize":
        await call("POST /api/contests/{contest_id}/finalize", { path });
        break;
      case "reopen":
        await call("POST /api/contests/{contest_id}/reopen", { path, body: { reason } });
        break;
      case "delete":
        await call("DELETE /api/contests/{contest_id}", { path, query: { version: contest.version } });
        return go("/contests");
    }
    changed();
    undecided.reload();
  });
  const over = isOver(contest.phase);
  const final = contest.phase === "finalized";
  const frozen = Boolean(contest.schedule.freezes_at) && !contest.unfrozen_at;
  const waiting = undecided.data?.items ?? [];
  return (
    <>
      {act.error && <Failure of={act.error} />}
      <section class="panel" aria-labelledby="undecided-title">
        <h2 id="undecided-title">1. {t("finish.undecided")}</h2>
        {undecided.error && !undecided.data && <Failure of={undecided.error} retry={undecided.reload} />}
        {!undecided.data && !undecided.error && <Loading />}
        {undecided.data && waiting.length === 0 && <p><span class="verdict-AC" aria-hidden="true">✓</span> {t("finish.all_decided")}</p>}
        {waiting.length > 0 && <p>{t("finish.undecided_text", { n: waiting.length })}</p>}
        {waiting.length > 0 && (
          <Table
            caption={t("finish.undecided")}
            rows={waiting}
            rowKey={(row) => row.submission_id}
            columns={[
              { title: t("submission.person"), kind: "wide", cell: (row) => <a href={`/submissions/${row.submission_id}`}>{row.display_name}</a> },
              { title: t("submission.problem"), kind: "narrow", cell: (row) => row.label },
              { title: t("submission.when"), kind: "narrow", cell: (row) => <At at={row.submitted_at} /> },
              { title: <span class="visually-hidden">{t("rulings.ignore")}</span>, kind: "narrow", cell: (row) => <a href={`/contests/${contest.id}/manage/rulings?submission=${row.submission_id}`}>{t("rulings.ignore")}</a> },
            ]}
          />
        )}
      </section>
      <section class="panel" aria-labelledby="unfreeze-title">
        <h2 id="unfreeze-title">2. {t("finish.unfreeze")}</h2>
        <p>{!contest.schedule.freezes_at ? t("finish.never_frozen") : contest.unfrozen_at ? <>{t("finish.unfrozen")} <At at={contest.unfrozen_at} /></> : over ? t("finish.unfreeze_text") : t("finish.not_over")}</p>
        <p class="actions"><button type="button" disabled={!over || !frozen || act.busy} onClick={() => void act.run("unfreeze")}>{t("finish.unfreeze")}</button></p>
      </section>
      <section class="panel" aria-labelledby="finalize-title">
        <h2 id="finalize-title">3. {t("finish.finalize")}</h2>
        <p>{final ? <>{t("finish.final_since")} <At at={contest.finalized_at} /></> : over ? t("finish.finalize_text") : t("finish.not_over")}</p>
        {!final && <p class="actions"><button type="button" class="primary" disabled={!over || act.busy || waiting.length > 0} onClick={() => void act.run("finalize")}>{t("finish.finalize")}</button></p>}
      </section>
      {final && (
        <form
          class="panel form"
          onSubmit={(event) => {
            event.preventDefault();
            void act.run("reopen");
          }}
        >
          <h2>{t("finish.reopen")}</h2>
          <p>{t("finish.reopen_text")}</p>
          <TextField label={t("rulings.reason")} value={reason} change={setReason} required maxLength={1000} />
          <p class="actions"><button type="submit" class="danger" disabled={act.busy}>{t("finish.reopen")}</button></p>
        </form>
      )}
      {contest.phase === "before" && (
        <section class="panel" aria-label={t("finish.delete")}>
          <h2>{t("finish.delete")}</h2>
          <p class="actions"><button type="button" class="danger" disabled={act.busy} onClick={() => confirm(t("finish.delete_confirm", { title: contest.title })) && void act.run("delete")}>{t("finish.delete")}</button></p>
        </section>
      )}
    </>
  );
}
