import type { Ran } from "../api/schema";
import { t } from "../i18n";
import { duration, memory } from "../ui/Time";
import { Verdict } from "../ui/Verdict";

/** What a run printed and how it ended. */
export function RunOutcome({ ran }: { ran: Ran }) {
  if (ran.compile_error !== null) {
    return (
      <div class="stack">
        <Verdict code="CE" long />
        <pre class="output">{ran.compile_error}</pre>
      </div>
    );
  }
  return (
    <div class="stack">
      <p class="row small muted numbers">
        {ran.verdict && ran.verdict !== "OK" ? <Verdict code={ran.verdict} long /> : <span>{t("run.exit", { n: ran.exit_code })}</span>}
        <span>{duration(ran.time_ms)}</span>
        <span>{memory(ran.memory_bytes)}</span>
        {ran.signal > 0 && <span>{t("run.signal", { n: ran.signal })}</span>}
        {ran.truncated && <span>{t("run.truncated")}</span>}
      </p>
      <pre class="output" tabIndex={0} aria-label={t("run.output")}>
        {ran.stdout || t("run.nothing")}
      </pre>
      {ran.stderr && (
        <pre class="output output-error" tabIndex={0} aria-label={t("run.errors")}>
          {ran.stderr}
        </pre>
      )}
    </div>
  );
}
