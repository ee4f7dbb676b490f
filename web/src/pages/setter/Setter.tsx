import { t } from "../../i18n";
import type { PageProps } from "../../router";
import { Gate } from "../../ui/Gate";
import { Page } from "../../ui/Page";
import { Import } from "./Import";
import { OwnProblems } from "./OwnProblems";
import { ProblemParts } from "./ProblemParts";

/** Where problems are made: the list, the import, and the parts of each one. */
export default function Setter({ params }: PageProps) {
  const { slug, part } = params;
  if (slug === "import") {
    return (
      <Page title={t("import.title")} tab={t("import.title")}>
        <Gate role="setter">{() => <Import />}</Gate>
      </Page>
    );
  }
  if (slug) return <ProblemParts slug={slug} part={part ?? "statement"} />;
  return (
    <Page
      title={t("setter.title")}
      tab={t("setter.title")}
      aside={
        <a class="button primary" href="/setter/import">
          {t("import.title")}
        </a>
      }
    >
      <Gate role="setter">{() => <OwnProblems />}</Gate>
    </Page>
  );
}
