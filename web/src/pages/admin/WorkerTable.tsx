import type { RunningJob, Worker } from "../../api/schema";
import { t } from "../../i18n";
import { Empty } from "../../ui/Empty";
import { Table, type Column } from "../../ui/Table";
import { Ago } from "../../ui/Time";

export type Shown = Worker & { jobs?: RunningJob[] };

/** Every judge that is alive, what it has and, where it is known, what it runs. */
export function WorkerTable({ workers, also = [] }: { workers: readonly Shown[]; also?: readonly Column<Shown>[] }) {
  if (workers.length === 0) {
    return (
      <Empty title={t("workers.none")}>
        <p class="muted">{t("workers.none_text")}</p>
      </Empty>
    );
  }
  const jobs: Column<Shown> = { title: t("workers.jobs"), cell: (row) => <Jobs of={row.jobs ?? []} /> };
  const columns: Column<Shown>[] = [
    { title: t("workers.name"), kind: "wide", cell: (row) => <Name of={row} /> },
    { title: t("workers.load"), kind: "number", cell: (row) => `${row.running} / ${row.capacity}` },
    ...(workers.some((each) => each.jobs) ? [jobs] : []),
    { title: t("workers.seen"), kind: "narrow", cell: (row) => <Ago at={row.seen_at} /> },
    { title: t("workers.since"), kind: "narrow", cell: (row) => <Ago at={row.started_at} /> },
    { title: t("workers.version"), kind: "narrow", cell: (row) => row.version },
    { title: t("workers.languages"), cell: (row) => <details><summary>{row.languages.length}</summary>{row.languages.join(", ")}</details> },
    { title: t("workers.layers"), cell: (row) => <details><summary>{row.layers.length}</summary>{row.layers.join(", ")}</details> },
    ...also,
  ];
  return <Table caption={t("admin.workers")} rows={workers} rowKey={(row) => row.name} columns={columns} />;
}

/** With what known solutions that it judged say against it. */
function Name({ of }: { of: Shown }) {
  return (
    <>
      <code>{of.name}</code>
      {of.drained && <p class="muted">{t("workers.drained", { why: of.drained })}</p>}
      {of.trouble && <p class="field-error">{of.held_back ? t("workers.held_back", { why: of.trouble }) : of.trouble}</p>}
    </>
  );
}

function Jobs({ of }: { of: readonly RunningJob[] }) {
  if (of.length === 0) return <span class="muted">{t("workers.idle")}</span>;
  return (
    <ul class="plain-list">
      {of.map((job) => (
        <li key={job.submission_id}>
          <a href={`/submissions/${job.submission_id}`}>{job.language}</a> <Ago at={job.since} />
        </li>
      ))}
    </ul>
  );
}
