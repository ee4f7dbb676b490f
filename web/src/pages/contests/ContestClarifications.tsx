import { Clarifications } from "../../contest/Clarifications";
import { ContestPage } from "../../contest/ContestPage";
import { useContest } from "../../contest/useContest";
import { t } from "../../i18n";
import type { PageProps } from "../../router";

export default function ContestClarifications({ params }: PageProps) {
  const asked = useContest(params["id"] ?? "");
  return (
    <ContestPage asked={asked} tab={t("contest.clarifications")}>
      {(detail) => (
        <>
          <h1>{t("contest.clarifications")}</h1>
          <Clarifications detail={detail} />
        </>
      )}
    </ContestPage>
  );
}
