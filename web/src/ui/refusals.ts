import type { Refusal } from "../api/refusal";
import { find, t } from "../i18n";

/** A refusal in one sentence of the reader's language. */
export function sentence(refusal: Refusal): string {
  const told = find(`reason.${refusal.reason}`) ?? find(`kind.${refusal.kind}`);
  const wait = refusal.retryAfter ? ` ${t("state.retry_after", { n: refusal.retryAfter })}` : "";
  return (told ?? (refusal.message || t("kind.internal"))) + (refusal.passing ? "" : wait);
}
