import { useState } from "preact/hooks";
import type { Ran, Sample } from "../api/schema";
import { t } from "../i18n";
import { Failure } from "../ui/Failure";
import { Tabs } from "../ui/Tabs";
import { Verdict } from "../ui/Verdict";
import type { Refusal } from "../api/refusal";
import { Diff } from "./Diff";
import { RunOutcome } from "./RunOutcome";
import type { SampleRun } from "./samples";

/** Runs before submitting: on the samples, each with its difference, and on an input of one's own. */
export function Console({ samples, runs, busy, error, input, setInput, ran, runInput, tab, choose }: { samples: readonly Sample[]; runs: readonly (SampleRun | null)[]; busy: boolean; error: Refusal | null; input: string; setInput: (text: string) => void; ran: Ran | null; runInput: () => void; tab: "samples" | "input"; choose: (tab: "samples" | "input") => void }) {
  const tabs = [
    { name: "samples" as const, title: t("console.samples") },
    { name: "input" as const, title: t("console.input") },
  ];
  return (
    <Tabs label={t("console.label")} tabs={tabs} chosen={tab} choose={choose}>
      <div class="stack" aria-live="polite" aria-busy={busy}>
        {error && <Failure of={error} />}
        {tab === "samples" ? <SampleRuns samples={samples} runs={runs} busy={busy} /> : <OwnInput input={input} setInput={setInput} ran={ran} run={runInput} busy={busy} />}
      </div>
    </Tabs>
  );
}

function SampleRuns({ samples, runs, busy }: { samples: readonly Sample[]; runs: readonly (SampleRun | null)[]; busy: boolean }) {
  const [open, setOpen] = useState<number | null>(null);
  if (samples.length === 0) return <p class="muted">{t("console.no_samples")}</p>;
  if (runs.length === 0) return <p class="muted small">{busy ? t("run.running") : t("console.hint")}</p>;
  const first = runs.findIndex((run) => run && run.ran.sample_verdict !== "AC");
  const shown = open ?? (first >= 0 ? first : 0);
  const run = runs[shown];
  const sample = samples[shown];
  return (
    <>
      <div class="row">
        {samples.map((_, index) => {
          const each = runs[index];
          return (
            <button key={index} type="button" class="trial" aria-pressed={index === shown} onClick={() => setOpen(index)}>
              {t("console.sample", { n: index + 1 })} {each ? <TrialVerdict run={each} /> : busy && <span class="spinner" aria-hidden="true" />}
            </button>
          );
        })}
      </div>
      {run && sample && (
        <div class="stack console-outcome">
          <SampleOutcome run={run} sample={sample} />
        </div>
      )}
    </>
  );
}

function SampleOutcome({ run: { ran, same }, sample }: { run: SampleRun; sample: Sample }) {
  if (ran.compile_error !== null || ran.verdict !== "OK") return <RunOutcome ran={ran} />;
  if (ran.sample_verdict === "AC" && same) return <RunOutcome ran={ran} />;
  return (
    <>
      {ran.sample_verdict === "AC" && <p class="small">{t("console.right_too")}</p>}
      {ran.sample_verdict === "SE" && <p class="small field-error">{t("console.checker_broken")}</p>}
      {ran.sample_verdict === "AC" ? <RunOutcome ran={ran} /> : <Diff expected={sample.output} printed={ran.stdout} />}
    </>
  );
}

function TrialVerdict({ run: { ran } }: { run: SampleRun }) {
  return <Verdict code={ran.compile_error !== null ? "CE" : (ran.sample_verdict ?? "SE")} />;
}

function OwnInput({ input, setInput, ran, run, busy }: { input: string; setInput: (text: string) => void; ran: Ran | null; run: () => void; busy: boolean }) {
  return (
    <>
      <textarea rows={5} aria-label={t("console.input")} value={input} spellcheck={false} onInput={(event) => setInput(event.currentTarget.value)} />
      <p class="actions">
        <button type="button" disabled={busy} onClick={run}>
          {busy ? t("run.running") : t("console.run_input")}
        </button>
      </p>
      {ran && <RunOutcome ran={ran} />}
    </>
  );
}
