import type { Refusal } from "../api/refusal";
import { find, t } from "../i18n";

/** A refusal in one sentence of the reader's language. */
export function sentence(refusal: Refusal): string {
  const told = find(`reason.${refusal.reason}`) ?? find(`kind.${refusal.kind}`);
  return [told ?? (refusal.message || t("kind.internal")), ...next(refusal)].join(" ");
}

/** What becomes of it: what was only read is read again by itself, what somebody did they do again. */
function next({ passing, sent, retryAfter }: Refusal): string[] {
  if (passing) return [t(sent.method === "GET" ? "state.asked_again" : "state.try_again")];
  return retryAfter ? [t("state.retry_after", { n: retryAfter })] : [];
}
