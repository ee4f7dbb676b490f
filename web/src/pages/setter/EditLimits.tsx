import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { TextField } from "../../ui/Field";
import { useAction } from "../../use";
import { besideOf, revise } from "./edit";
import type { PartProps } from "./ProblemParts";

const MIB = 2 ** 20;
const MOST_SECONDS = 600;
const mib = (bytes: number | null | undefined): string => (bytes ? String(bytes / MIB) : "");

/** Time, memory and output; limits of single languages stay as they are. */
export function EditLimits({ problem, changed }: PartProps) {
  const limits = problem.limits ?? {};
  const [seconds, setSeconds] = useState(limits.time_ms ? String(limits.time_ms / 1000) : "");
  const [memory, setMemory] = useState(mib(limits.memory_bytes));
  const [output, setOutput] = useState(mib(limits.output_bytes));
  const save = useAction(async () => {
    const [time_ms, memory_bytes, output_bytes] = [Number(seconds) * 1000, Number(memory) * MIB, Number(output) * MIB].map(Math.round) as [number, number, number];
    await revise(problem, { limits: { ...limits, time_ms, memory_bytes, output_bytes } });
    changed();
  });
  // Until it has been read again it would be refused again.
  useEffect(() => save.clear(), [problem.version]);
  const amount = { type: "number", step: "any" } as const;
  return (
    <details class="panel">
      <summary>{t("edit.limits")}</summary>
      <form
        class="form stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <TextField {...amount} min="0.001" max={String(MOST_SECONDS)} label={t("edit.time")} value={seconds} change={setSeconds} error={besideOf(save.error, "draft.limits.time_ms", ["time_limit_out_of_range"])} required />
        <TextField {...amount} min="1" label={t("edit.memory")} value={memory} change={setMemory} error={besideOf(save.error, "draft.limits.memory_bytes", ["memory_limit_out_of_range"])} required />
        <TextField {...amount} min="0" max="256" label={t("edit.output")} hint={t("edit.output_hint")} value={output} change={setOutput} error={besideOf(save.error, "draft.limits.output_bytes", ["output_limit_out_of_range"])} />
        {save.error && <Failure of={save.error} retry={() => (save.error?.reason === "stale_version" ? changed() : void save.run())} />}
        <p class="actions">
          <button type="submit" class="primary" disabled={save.busy}>
            {t("edit.save")}
          </button>
          <span class="muted small">
            {t("edit.limits_promise")} <a href={`/setter/${problem.slug}/revisions`}>{t("setter.revisions")}</a>
          </span>
        </p>
      </form>
    </details>
  );
}
