import { call } from "../../api/call";
import type { Refusal } from "../../api/refusal";
import type { Problem, ProblemDraft } from "../../api/schema";
import { t } from "../../i18n";
import { errorOf } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { sentence } from "../../ui/refusals";

/** Make the next revision: what is not named stays as it was read, the tests as they are. */
export async function revise(problem: Problem, change: Partial<ProblemDraft>): Promise<void> {
  const { slug, level, tags, statements, samples, languages, assets } = problem;
  const draft = { slug, level, tags, statements, samples, languages, assets, ...change };
  const saved = await call("PUT /api/problems/{problem}", { path: { problem: problem.id }, body: { version: problem.version, draft } });
  notify(t("edit.saved", { n: saved.revision }), { tone: "good" });
}

/** What is wrong with one field: as the server names it, or by the reasons that are about it. */
export const besideOf = (refusal: Refusal | null, field: string, reasons: readonly string[]): string | null => errorOf(refusal, field) ?? (refusal && reasons.includes(refusal.reason) ? sentence(refusal) : null);
