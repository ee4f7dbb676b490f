import { useState } from "preact/hooks";
import { call } from "../../api/call";
import { Refusal } from "../../api/refusal";
import { me } from "../../api/session";
import type { CaseResult, Result, Submission } from "../../api/schema";
import { t } from "../../i18n";
import { Diff } from "../../solve/Diff";
import { Failure } from "../../ui/Failure";
import { Table, type Column } from "../../ui/Table";
import { duration, memory } from "../../ui/Time";
import { Verdict } from "../../ui/Verdict";

interface Texts {
  /** Null where it is not for the reader: of cases that are no samples. */
  answer: string | null;
  stdout: string;
  stderr: string;
}

/** Every case; a sample can be opened to see what differs, and by the staff any to see what was printed. */
export function Cases({ submission, result }: { submission: Submission; result: Result }) {
  const [open, setOpen] = useState<number | null>(null);
  const [texts, setTexts] = useState<Texts | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const slowest = Math.max(1, ...result.cases.map((each) => each.time_ms));

  const staff = me.value?.role !== "contestant";

  const show = async ({ number, sample }: CaseResult): Promise<void> => {
    setOpen(number === open ? null : number);
    setTexts(null);
    setError(null);
    const part = async (log: string): Promise<string> => {
      const path = { submission_id: submission.id, attempt: submission.attempt, case_number: number, log };
      return (await call("GET /api/submissions/{submission_id}/attempts/{attempt}/cases/{case_number}/{log}", { path })).text();
    };
    try {
      const [answer, stdout, stderr] = await Promise.all([sample ? part("answer") : null, part("stdout"), part("stderr")]);
      setTexts({ answer, stdout, stderr });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      setError(thrown);
    }
  };
  const columns: Column<CaseResult>[] = [
    { title: "#", kind: "number", cell: (row) => row.number },
    { title: t("cases.name"), kind: "wide", cell: (row) => (row.sample || staff ? <button type="button" class="link" aria-expanded={row.number === open} onClick={() => void show(row)}>{row.name}</button> : row.name) },
    { title: t("submission.verdict"), kind: "narrow", cell: (row) => (row.verdict ? <Verdict code={row.verdict} /> : <span class="muted">{t("cases.skipped")}</span>) },
    { title: t("submission.time"), kind: "number", cell: (row) => <span class="bar-cell">{row.verdict && <><span class="bar" aria-hidden="true"><span style={{ width: `${(row.time_ms / slowest) * 100}%` }} /></span> {duration(row.time_ms)}</>}</span> },
    { title: t("submission.memory"), kind: "number", cell: (row) => (row.verdict ? memory(row.memory_bytes) : "") },
    { title: t("cases.note"), cell: (row) => <CaseNote row={row} /> },
  ];
  return (
    <section class="stack cases" aria-labelledby="cases-title">
      <h2 id="cases-title">{t("cases.title")}</h2>
      {result.groups.length > 0 && <Table caption={t("cases.groups")} columns={[
        { title: t("cases.group"), kind: "wide", cell: (row) => row.name },
        { title: t("cases.score"), kind: "number", cell: (row) => row.score },
      ]} rows={result.groups} rowKey={(row) => row.name} />}
      <Table caption={t("cases.title")} columns={columns} rows={result.cases} rowKey={(row) => row.number} />
      {open !== null && (
        <div class="panel" aria-live="polite">
          <h3>{t("cases.opened", { n: open })}</h3>
          {error && <Failure of={error} />}
          {texts && (texts.answer !== null ? <Diff expected={texts.answer} printed={texts.stdout} /> : <pre class="output" aria-label={t("run.output")}>{texts.stdout || t("run.nothing")}</pre>)}
          {texts?.stderr && <pre class="output output-error" aria-label={t("run.errors")}>{texts.stderr}</pre>}
        </div>
      )}
    </section>
  );
}

function CaseNote({ row }: { row: CaseResult }) {
  const parts = [row.signal > 0 && t("run.signal", { n: row.signal }), row.exit_code !== 0 && t("run.exit", { n: row.exit_code }), row.message].filter(Boolean);
  return <span class="small muted">{parts.join(" · ")}</span>;
}
