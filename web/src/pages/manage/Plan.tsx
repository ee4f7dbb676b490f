import { call } from "../../api/call";
import type { Contest, ContestDraft } from "../../api/schema";
import { t } from "../../i18n";
import { notify } from "../../ui/notices";
import { useAction } from "../../use";
import { ContestForm } from "./ContestForm";

export function Plan({ contest, changed }: { contest: Contest; changed: () => void }) {
  const save = useAction(async (draft: ContestDraft) => {
    await call("PUT /api/contests/{contest_id}", { path: { contest_id: contest.id }, body: { version: contest.version, draft } });
    notify(t("action.saved"), { tone: "good" });
    changed();
  });
  return (
    <>
      {contest.phase !== "before" && <p class="muted">{t("plan.begun")}</p>}
      <ContestForm contest={contest} save={(draft) => void save.run(draft)} busy={save.busy} error={save.error} button={t("action.save")} />
    </>
  );
}
