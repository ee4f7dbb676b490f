import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call";
import type { Contest, RulingPreview } from "../../api/schema";
import { t } from "../../i18n";
import { place } from "../../router";
import { Failure } from "../../ui/Failure";
import { Select, TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { Table } from "../../ui/Table";
import { At, exactly } from "../../ui/Time";
import { useAction, useCall } from "../../use";
import { Effect } from "./Effect";
import { asLocal, fromLocal } from "./moments";

const MINUTE_MS = 60_000;

/** Rulings on a contest: each shows its effect before it counts. */
export function Rulings({ contest, changed }: { contest: Contest; changed: () => void }) {
  return (
    <>
      <Extend contest={contest} changed={changed} />
      <Remove contest={contest} changed={changed} />
      {(contest.schedule.removed ?? []).length > 0 && <Restore contest={contest} changed={changed} />}
      <Ignore contest={contest} changed={changed} />
    </>
  );
}

interface Given {
  contest: Contest;
  changed: () => void;
}

/** A ruling: `rule(true)` only says what it would do. Whoever changes a field sees the effect anew first. */
function Ruling({ title, text, ready, of, rule, reason, setReason, changed, children }: { title: string; text: string; ready: boolean; of: string; rule: (dry: boolean) => Promise<unknown>; reason: string; setReason: (reason: string) => void; changed: () => void; children: ComponentChildren }) {
  const [seen, see] = useState<{ of: string; effect: RulingPreview } | null>(null);
  const run = useAction(async (dry: boolean) => {
    const answer = await rule(dry);
    if (dry) return see({ of, effect: answer as RulingPreview });
    see(null);
    setReason("");
    notify(t("rulings.done"), { tone: "good" });
    changed();
  });
  const fresh = seen?.of === of ? seen.effect : null;
  return (
    <form
      class="panel"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void run.run(!fresh);
      }}
    >
      <h2>{title}</h2>
      <p class="muted">{text}</p>
      <div class="columns">{children}</div>
      <TextField label={t("rulings.reason")} hint={t("rulings.reason_hint")} value={reason} change={setReason} maxLength={1000} />
      {fresh && <Effect changes={fresh.changes} total={fresh.rows_changed} />}
      {run.error && <Failure of={run.error} />}
      <p class="actions">
        <button type="submit" class={fresh ? "primary" : ""} disabled={run.busy || !ready}>{fresh ? t("rulings.rule") : t("rulings.preview")}</button>
        {fresh && <button type="button" class="quiet" onClick={() => see(null)}>{t("rulings.leave")}</button>}
      </p>
    </form>
  );
}

function Extend({ contest, changed }: Given) {
  const [minutes, setMinutes] = useState("10");
  const [reason, setReason] = useState("");
  const by = Number(minutes) * MINUTE_MS;
  const rule = (dry: boolean): Promise<unknown> => call("POST /api/contests/{contest_id}/extend", { path: { contest_id: contest.id }, query: { dry_run: dry }, body: { by_ms: by, reason } });
  return (
    <Ruling title={t("rulings.extend")} text={t("rulings.extend_text")} ready={by > 0} of={minutes} rule={rule} reason={reason} setReason={setReason} changed={changed}>
      <TextField type="number" min="1" label={t("rulings.minutes")} hint={by > 0 ? t("rulings.new_end", { time: exactly(new Date(Date.parse(contest.schedule.ends_at) + by).toISOString()) }) : ""} value={minutes} change={setMinutes} required />
    </Ruling>
  );
}

function Remove({ contest, changed }: Given) {
  const [from, setFrom] = useState(asLocal(contest.schedule.starts_at));
  const [before, setBefore] = useState("");
  const [reason, setReason] = useState("");
  const rule = (dry: boolean): Promise<unknown> => call("POST /api/contests/{contest_id}/removed-intervals", { path: { contest_id: contest.id }, query: { dry_run: dry }, body: { interval: { from: fromLocal(from), before: fromLocal(before) }, reason } });
  return (
    <Ruling title={t("rulings.remove")} text={t("rulings.remove_text")} ready={Boolean(from && before)} of={`${from} ${before}`} rule={rule} reason={reason} setReason={setReason} changed={changed}>
      <TextField type="datetime-local" label={t("rulings.from")} value={from} change={setFrom} required />
      <TextField type="datetime-local" label={t("rulings.before")} value={before} change={setBefore} required />
    </Ruling>
  );
}

function Restore({ contest, changed }: Given) {
  const removed = contest.schedule.removed ?? [];
  const [chosen, choose] = useState("0");
  const [reason, setReason] = useState("");
  const interval = removed[Number(chosen)];
  const rule = async (dry: boolean): Promise<unknown> => interval && call("POST /api/contests/{contest_id}/restored-intervals", { path: { contest_id: contest.id }, query: { dry_run: dry }, body: { interval, reason } });
  return (
    <Ruling title={t("rulings.restore")} text={t("rulings.restore_text")} ready={Boolean(interval)} of={`${chosen} ${removed.length}`} rule={rule} reason={reason} setReason={setReason} changed={changed}>
      <Select label={t("schedule.removed")} value={chosen} change={choose} options={removed.map((each, index) => ({ value: String(index), text: `${exactly(each.from)} – ${exactly(each.before)}` }))} />
    </Ruling>
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

function Ignore({ contest, changed }: Given) {
  const [typed, type] = useState(place.peek().query.get("submission") ?? "");
  const [reason, setReason] = useState("");
  const [back, setBack] = useState(false);
  const list = useCall("GET /api/contests/{contest_id}/ignored", { path: { contest_id: contest.id } });
  const id = UUID.exec(typed)?.[0] ?? "";
  const known = list.data?.items.some((each) => each.submission_id === id) ?? false;
  useEffect(() => setBack(known), [known]);
  const rule = (dry: boolean): Promise<unknown> => call("PUT /api/contests/{contest_id}/submissions/{submission_id}/ignored", { path: { contest_id: contest.id, submission_id: id }, query: { dry_run: dry }, body: { ignored: !back, reason } });
  return (
    <>
      <Ruling
        title={back ? t("rulings.count_again") : t("rulings.ignore")}
        text={t("rulings.ignore_text")}
        ready={Boolean(id)}
        of={`${id} ${back}`}
        rule={rule}
        reason={reason}
        setReason={setReason}
        changed={() => {
          type("");
          list.reload();
          changed();
        }}
      >
        <TextField label={t("rulings.submission")} hint={t("rulings.submission_hint")} value={typed} change={type} required maxLength={200} spellcheck={false} />
      </Ruling>
      {list.error && !list.data && <Failure of={list.error} retry={list.reload} />}
      {list.data && list.data.items.length > 0 && (
        <Table
          caption={t("rulings.ignored")}
          rows={list.data.items}
          rowKey={(row) => row.submission_id}
          columns={[
            { title: t("rulings.ignored"), kind: "wide", cell: (row) => <a href={`/submissions/${row.submission_id}`}>{row.display_name}</a> },
            { title: t("submission.problem"), kind: "narrow", cell: (row) => row.label },
            { title: t("submission.when"), kind: "narrow", cell: (row) => <At at={row.submitted_at} /> },
            { title: <span class="visually-hidden">{t("rulings.count_again")}</span>, kind: "narrow", cell: (row) => <button type="button" onClick={() => type(row.submission_id)}>{t("rulings.count_again")}</button> },
          ]}
        />
      )}
    </>
  );
}
