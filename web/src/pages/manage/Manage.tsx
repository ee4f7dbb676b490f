import type { ContestDetail } from "../../api/schema";
import { Clarifications } from "../../contest/Clarifications";
import { ContestPage } from "../../contest/ContestPage";
import { useContest } from "../../contest/useContest";
import { t, type Key } from "../../i18n";
import type { PageProps } from "../../router";
import { Empty } from "../../ui/Empty";
import { Parts } from "../../ui/Parts";
import { Audit } from "./Audit";
import { Finish } from "./Finish";
import { People } from "./People";
import { Plan } from "./Plan";
import { Recompute } from "./Recompute";
import { Rejudge } from "./Rejudge";
import { Rulings } from "./Rulings";

const PARTS = ["plan", "people", "questions", "rulings", "rejudge", "recompute", "audit", "finish"] as const;
type Part = (typeof PARTS)[number];

/** What the staff of a contest does. */
export default function Manage({ params }: PageProps) {
  const asked = useContest(params["id"] ?? "");
  const part = PARTS.find((each) => each === params["part"]) ?? "plan";
  return (
    <ContestPage asked={asked} tab={t(`manage.${part}` as Key)}>
      {(detail) =>
        detail.staff ? (
          <>
            <h1>{t("contest.manage")}</h1>
            <Parts label={t("contest.manage")} parts={PARTS.map((name) => ({ href: `/contests/${detail.contest.id}/manage/${name}`, text: t(`manage.${name}` as Key) }))} />
            <div class="stack">
              {!detail.administers && part !== "questions" && part !== "audit" && <p class="notice-line">{t("manage.judge_only")}</p>}
              {detail.contest.work && <p class="notice-line" role="status">{t("manage.work", { kind: detail.contest.work.kind, done: detail.contest.work.done, total: detail.contest.work.total })}</p>}
              <Chosen part={part} detail={detail} changed={asked.reload} />
            </div>
          </>
        ) : (
          <Empty title={t("manage.staff_only")} />
        )
      }
    </ContestPage>
  );
}

function Chosen({ part, detail, changed }: { part: Part; detail: ContestDetail; changed: () => void }) {
  const { contest } = detail;
  switch (part) {
    case "plan":
      return <Plan key={contest.version} contest={contest} changed={changed} />;
    case "people":
      return <People contest={contest} />;
    case "questions":
      return <Clarifications detail={detail} />;
    case "rulings":
      return <Rulings contest={contest} changed={changed} />;
    case "rejudge":
      return <Rejudge contest={contest} />;
    case "recompute":
      return <Recompute contest={contest} />;
    case "audit":
      return <Audit contest={contest} />;
    case "finish":
      return <Finish contest={contest} changed={changed} />;
  }
}
