import { t } from "../i18n";
import { duration, memory } from "../ui/Time";
import { Outcome } from "../ui/Verdict";
import { CaseStrip } from "./CaseStrip";
import { isFinal, useExplanation, useSubmission } from "./useSubmission";
import { Waiting } from "./Waiting";

/** The verdict of a submission where it was sent from, growing case by case. */
export function LiveVerdict({ id }: { id: string }) {
  const { data, progress } = useSubmission(id);
  const submission = data?.submission;
  const status = submission?.status ?? "pending";
  const explanation = useExplanation(id, status);
  const result = submission?.result;
  const cases = result?.cases ?? progress?.cases ?? [];
  const hidden = status === "finished" && !result;
  return (
    <div class="live-verdict" aria-live="polite" data-submission={id}>
      <p class="row spread">
        <span class="live-outcome">
          {hidden ? <span>{t("submission.hidden")}</span> : <Outcome status={status} verdict={result?.verdict ?? null} long {...(progress && !result ? { text: t("submission.case_of", { n: progress.done, total: progress.total }) } : {})} />}
        </span>
        <span class="row small muted numbers">
          {result && <span>{duration(result.time_ms)}</span>}
          {result && <span>{memory(result.memory_bytes)}</span>}
          {result && result.score > 0 && result.verdict !== "AC" && <span>{t("submission.points", { n: result.score })}</span>}
          <a href={`/submissions/${id}`}>{t("submission.details")}</a>
        </span>
      </p>
      {(cases.length > 0 || progress) && <CaseStrip cases={cases} total={result?.cases.length ?? progress?.total ?? 0} />}
      {result?.verdict === "CE" && result.compile_output && <pre class="output">{result.compile_output}</pre>}
      {!isFinal(status) && explanation && !progress && <Waiting explanation={explanation} />}
    </div>
  );
}
