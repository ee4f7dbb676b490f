import type { ComponentType } from "preact";
import type { Problem } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Gate } from "../../ui/Gate";
import { Page } from "../../ui/Page";
import { Parts } from "../../ui/Parts";
import { useCall } from "../../use";
import Missing from "../Missing";
import { Check } from "./Check";
import { Limits } from "./Limits";
import { Preview } from "./Preview";
import { Publish } from "./Publish";
import { Revisions } from "./Revisions";
import { Tests } from "./Tests";

export interface PartProps {
  problem: Problem;
  changed: () => void;
}

const PARTS: Record<string, ComponentType<PartProps>> = { statement: Preview, tests: Tests, limits: Limits, check: Check, revisions: Revisions, publish: Publish };

/** One problem, as its setter sees it. */
export function ProblemParts({ slug, part }: { slug: string; part: string }) {
  const problem = useCall("GET /api/problems/{problem}", { path: { problem: slug } });
  const Chosen = PARTS[part];
  if (!Chosen) return <Missing />;
  const title = problem.data?.title ?? slug;
  return (
    <Page
      title={title}
      tab={`${title}: ${t(`setter.${part}` as Key)}`}
      aside={
        <>
          {problem.data && <span class="muted">{t(problem.data.enabled ? "setter.published" : "setter.hidden")}</span>}
          <a class="button" href={`/setter/import?into=${encodeURIComponent(slug)}`}>
            {t("import.again")}
          </a>
          <a href={`/problems/${slug}`}>{t("setter.as_others")}</a>
        </>
      }
    >
      <Parts label={title} parts={Object.keys(PARTS).map((each) => ({ href: `/setter/${slug}/${each}`, text: t(`setter.${each}` as Key) }))} />
      <Gate role="setter">{() => <Answered of={problem}>{(data) => <Chosen problem={data} changed={problem.reload} />}</Answered>}</Gate>
    </Page>
  );
}
