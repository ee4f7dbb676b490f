import type { Explanation } from "../api/schema";
import { find, t } from "../i18n";
import { Countdown, duration } from "../ui/Time";

/** Why a submission waits, in a sentence; with the estimate where there is one. */
export function Waiting({ explanation }: { explanation: Explanation }) {
  const { cause, ahead, estimate_ms: estimate, next_retry_at: retry } = explanation;
  const sentence = cause === "waiting_behind" && ahead !== null ? t("waiting.ahead", { n: ahead }) : (cause && find(`waiting.${cause}`)) || explanation.summary;
  return (
    <p class="small muted" role="status">
      {sentence} {estimate ? t("waiting.estimate", { time: duration(estimate) }) : ""} {retry && <Countdown to={retry} />}
    </p>
  );
}
