import type { Submission } from "../api/schema";
import { t } from "../i18n";
import { Person } from "../ui/Person";
import { Table, type Column } from "../ui/Table";
import { Ago, duration, memory } from "../ui/Time";
import { Outcome } from "../ui/Verdict";

/** Submissions as a list; the problem and the person are left out where the page says them. */
export function SubmissionTable({ rows, languages, without = [] }: { rows: readonly Submission[]; languages: ReadonlyMap<string, string>; without?: readonly ("problem" | "person")[] }) {
  const columns: (Column<Submission> & { name: string })[] = [
    { name: "when", title: t("submission.when"), kind: "narrow", cell: (row) => <a href={`/submissions/${row.id}`}><Ago at={row.submitted_at} /></a> },
    { name: "verdict", title: t("submission.verdict"), kind: "narrow", cell: (row) => <a class="plain" href={`/submissions/${row.id}`}>{row.status === "finished" && !row.result ? t("submission.hidden") : <Outcome status={row.status} verdict={row.result?.verdict ?? null} />}</a> },
    { name: "problem", title: t("submission.problem"), kind: "wide", cell: (row) => <ProblemName row={row} /> },
    { name: "person", title: t("submission.person"), cell: (row) => (row.user_name ? <Person name={row.user_name} shown={row.user_display_name} /> : <span class="muted">—</span>) },
    { name: "time", title: t("submission.time"), kind: "number", cell: (row) => (row.result ? duration(row.result.time_ms) : "") },
    { name: "memory", title: t("submission.memory"), kind: "number", cell: (row) => (row.result ? memory(row.result.memory_bytes) : "") },
    { name: "language", title: t("solve.language"), kind: "narrow", cell: (row) => languages.get(row.language) ?? row.language },
  ];
  const shown = columns.filter((column) => !(without as readonly string[]).includes(column.name));
  return <Table caption={t("nav.submissions")} columns={shown} rows={rows} rowKey={(row) => row.id} />;
}

export function ProblemName({ row }: { row: Submission }) {
  const title = row.problem_title ?? t("submission.a_problem");
  const href = row.contest_id && row.contest_label ? `/contests/${row.contest_id}/${row.contest_label}` : `/problems/${row.problem_slug ?? row.problem_id}`;
  return (
    <a href={href}>
      {row.contest_label && `${row.contest_label}. `}
      {title}
    </a>
  );
}
