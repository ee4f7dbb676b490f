import { useEffect, useRef, useState } from "preact/hooks";
import { follow } from "../../api/lines";
import type { Verdict as Code, VerifyDone } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { Icon } from "../../ui/Icon";
import { Table } from "../../ui/Table";
import { duration } from "../../ui/Time";
import { Verdict } from "../../ui/Verdict";
import { useAction } from "../../use";
import type { PartProps } from "./ProblemParts";

interface Progress {
  step: "package" | "inputs" | "solution";
  done: number;
  total: number;
  solution: string | null;
  case_name: string | null;
  verdict: Code | null;
  expected: string | null;
  ok: boolean | null;
  message: string | null;
}

/** Verify the problem on the judge: validators, then every solution of its package against what it should get. */
export function Check({ problem }: PartProps) {
  const [now, setNow] = useState<Progress | null>(null);
  const [solutions, setSolutions] = useState<Progress[]>([]);
  const [done, setDone] = useState<VerifyDone | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const verify = useAction(async () => {
    const controller = new AbortController();
    stop.current = controller;
    setSolutions([]);
    setDone(null);
    setNow(null);
    const tell = (progress: Progress): void => {
      setNow(progress);
      if (progress.solution && progress.verdict) setSolutions((before) => [...before.filter((each) => each.solution !== progress.solution), progress]);
    };
    try {
      setDone(await follow<Progress, VerifyDone>("POST /api/problems/{problem}/verify", { path: { problem: problem.id } }, tell, controller.signal));
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      setNow(null);
    }
  });
  return (
    <>
      <p>{t("check.text")}</p>
      <p class="actions">
        <button type="button" class="primary" disabled={verify.busy} onClick={() => void verify.run()}>
          <Icon name="run" /> {t("check.start")}
        </button>
        {verify.busy && (
          <button type="button" onClick={() => stop.current?.abort()}>
            {t("check.stop")}
          </button>
        )}
      </p>
      {verify.error && <Failure of={verify.error} retry={() => void verify.run()} />}
      {verify.busy && <Under of={now} />}
      {done && <Done of={done} />}
      {solutions.length > 0 && (
        <Table
          caption={t("check.solutions")}
          rows={solutions}
          rowKey={(row) => row.solution ?? ""}
          columns={[
            { title: t("check.program"), kind: "wide", cell: (row) => <code>{row.solution}</code> },
            { title: t("check.expected"), kind: "narrow", cell: (row) => row.expected },
            { title: t("submission.verdict"), kind: "narrow", cell: (row) => row.verdict && <Verdict code={row.verdict} /> },
            { title: t("check.as_expected"), kind: "narrow", cell: (row) => (row.ok === null ? "" : row.ok ? `✓ ${t("tests.yes")}` : `✗ ${t("check.no")}`) },
            { title: t("cases.note"), cell: (row) => [row.case_name, row.message].filter(Boolean).join(": ") },
          ]}
        />
      )}
    </>
  );
}

function Under({ of }: { of: Progress | null }) {
  return (
    <div class="panel" role="status">
      <p>{of ? t(`check.${of.step}` as Key, { done: of.done, total: of.total, solution: of.solution ?? "" }) : t("check.waiting")}</p>
      <progress class="meter" aria-label={t("check.start")} {...(of && of.total > 0 ? { max: of.total, value: of.done } : {})} />
    </div>
  );
}

function Done({ of }: { of: VerifyDone }) {
  const limit = of.time_limit;
  return (
    <div class="stack" role="status">
      <p class={`verdict-banner verdict-banner-${of.ok ? "good" : "bad"}`}>
        <span>
          {of.ok ? "✓" : "✗"} {t(of.ok ? "check.good" : "check.bad")}
        </span>
      </p>
      {of.findings.length > 0 && (
        <ul class="messages">
          {of.findings.map((each, index) => (
            <li key={index} class={`message message-${each.severity === "error" ? "danger" : "warning"}`}>
              <strong>{t(`severity.${each.severity}` as Key)}</strong> {each.about && <code>{each.about}</code>} {each.message}
            </li>
          ))}
        </ul>
      )}
      {limit && <p>{t("check.limit", { slowest: limit.slowest, time: duration(limit.slowest_ms), suggested: duration(limit.suggested_ms), current: limit.current_ms === null ? t("limits.usual") : duration(limit.current_ms) })}</p>}
    </div>
  );
}
