import { call } from "../../api/call";
import { me } from "../../api/session";
import type { ContestDraft } from "../../api/schema";
import { t } from "../../i18n";
import { go } from "../../router";
import { Empty } from "../../ui/Empty";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { useAction } from "../../use";
import { ContestForm } from "./ContestForm";

export default function NewContest() {
  const create = useAction(async (draft: ContestDraft) => {
    const made = await call("POST /api/contests", { body: draft });
    go(`/contests/${made.id}`);
  });
  return (
    <Page title={t("contests.new")} tab={t("contests.new")}>
      {me.value === undefined && <Loading />}
      {me.value === null && (
        <Empty title={t("kind.unauthenticated")}>
          <a class="button" href="/login?next=/contests/new">{t("nav.sign_in")}</a>
        </Empty>
      )}
      {me.value && <ContestForm save={(draft) => void create.run(draft)} busy={create.busy} error={create.error} button={t("plan.create")} />}
    </Page>
  );
}
