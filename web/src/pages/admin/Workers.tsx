import { call } from "../../api/call";
import type { Drain } from "../../api/schema";
import { t } from "../../i18n";
import { atLeast } from "../../roles";
import { me } from "../../api/session";
import { Answered } from "../../ui/Answered";
import { Failure } from "../../ui/Failure";
import { Section } from "../../ui/Section";
import { Table, type Column } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { useAction, useCall, useEvery } from "../../use";
import { Timelines } from "./Timelines";
import { WorkerTable, type Shown } from "./WorkerTable";

/** Who judges, and who is kept from it. */
export function Workers() {
  const workers = useCall("GET /api/admin/workers", {});
  const drains = useCall("GET /api/admin/workers/drained", {});
  useEvery(5000, !workers.error, workers.reload);
  const reload = (): void => {
    workers.reload();
    drains.reload();
  };
  const drain = useAction(async (name: string) => {
    await call("POST /api/admin/workers/drain", { body: { name } });
    reload();
  });
  const resume = useAction(async (name: string) => {
    await call("POST /api/admin/workers/resume", { body: { name } });
    reload();
  });
  const failed = drain.error ?? resume.error;
  const button = (title: string, busy: boolean, press: () => unknown) => (
    <button type="button" disabled={busy} onClick={() => void press()}>
      {title}
    </button>
  );
  const may = atLeast("admin", me.value);
  const draining: Column<Shown> = {
    title: <span class="visually-hidden">{t("workers.drain")}</span>,
    kind: "narrow",
    cell: (row) => !row.drained && button(t("workers.drain"), drain.busy, () => drain.run(row.name)),
  };
  const resuming: Column<Drain> = {
    title: <span class="visually-hidden">{t("workers.resume")}</span>,
    kind: "narrow",
    cell: (row) => button(t("workers.resume"), resume.busy, () => resume.run(row.name)),
  };
  return (
    <>
      {failed && <Failure of={failed} />}
      <Answered of={workers}>{(data) => <WorkerTable workers={data.items} also={may ? [draining] : []} />}</Answered>
      <Timelines alive={workers.data?.items.map((each) => each.name) ?? []} />
      {drains.data && drains.data.items.length > 0 && (
        <Section title={t("workers.out")}>
          <Table
            caption={t("workers.out")}
            rows={drains.data.items}
            rowKey={(row) => row.name}
            columns={[
              { title: t("workers.name"), kind: "wide", cell: (row) => <code>{row.name}</code> },
              { title: t("workers.reason"), cell: (row) => row.reason },
              { title: t("dead.when"), kind: "narrow", cell: (row) => <Ago at={row.drained_at} /> },
              ...(may ? [resuming] : []),
            ]}
          />
        </Section>
      )}
    </>
  );
}
