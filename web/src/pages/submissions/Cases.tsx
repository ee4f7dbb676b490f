import { useState } from "preact/hooks";
import { call } from "../../api/call";
import { Refusal } from "../../api/refusal";
import type { CaseResult, Result, Submission } from "../../api/schema";
import { t } from "../../i18n";
import { Diff } from "../../solve/Diff";
import { Failure } from "../../ui/Failure";
import { Table, type Column } from "../../ui/Table";
import { duration, memory } from "../../ui/Time";
import { Verdict } from "../../ui/Verdict";

interface Texts {
  answer: string;
  stdout: string;
  stderr: string;
}

/** Every case; a sample can be opened to see what differs. */
export function Cases({ submission, result }: { submission: Submission; result: Result }) {
  const [open, setOpen] = useState<number | null>(null);
  const [texts, setTexts] = useState<Texts | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const slowest = Math.max(1, ...result.cases.map((each) => each.time_ms));

  const show = async (number: number): Promise<void> => {
    setOpen(number === open ? null : number);
    setTexts(null);
    setError(null);
    const part = async (name: string): Promise<string> => {
      const path = { submission_id: submission.id, attempt: submission.attempt, number, part: name };
      const found = await call("GET /api/submissions/{submission_id}/attempts/{attempt}/cases/{number}/{part}", { path } as never);
      return (found as Blob).text();
    };
    try {
      const [answer, stdout, stderr] = await Promise.all([part("answer"), part("stdout"), part("stderr")]);
      setTexts({ answer, stdout, stderr });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      setError(thrown);
    }
  };
  const columns: Column<CaseResult>[] = [
    { title: "#", kind: "number", cell: (row) => row.number },
    { title: t("cases.name"), kind: "wide", cell: (row) => (row.sample ? <button type="button" class="link" aria-expanded={row.number === open} onClick={() => void show(row.number)}>{row.name}</button> : row.name) },
    { title: t("submission.verdict"), kind: "narrow", cell: (row) => (row.verdict ? <Verdict code={row.verdict} /> : <span class="muted">{t("cases.skipped")}</span>) },
    { title: t("submission.time"), kind: "number", cell: (row) => <span class="bar-cell">{row.verdict && <><meter class="bar" min={0} max={slowest} value={row.time_ms} aria-hidden="true" /> {duration(row.time_ms)}</>}</span> },
    { title: t("submission.memory"), kind: "number", cell: (row) => (row.verdict ? memory(row.memory_bytes) : "") },
    { title: t("cases.note"), cell: (row) => <CaseNote row={row} /> },
  ];
  return (
    <section class="stack" aria-labelledby="cases-title">
      <h2 id="cases-title">{t("cases.title")}</h2>
      {result.groups.length > 0 && <Table caption={t("cases.groups")} columns={[
        { title: t("cases.group"), kind: "wide", cell: (row) => row.name },
        { title: t("submission.verdict"), kind: "narrow", cell: (row) => row.verdict && <Verdict code={row.verdict} /> },
        { title: t("cases.score"), kind: "number", cell: (row) => row.score },
      ]} rows={result.groups} rowKey={(row) => row.name} />}
      <Table caption={t("cases.title")} columns={columns} rows={result.cases} rowKey={(row) => row.number} />
      {open !== null && (
        <div class="panel" aria-live="polite">
          <h3>{t("cases.opened", { n: open })}</h3>
          {error && <Failure of={error} />}
          {texts && <Diff expected={texts.answer} printed={texts.stdout} />}
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
