import { t } from "../../i18n";
import { limitsOf } from "../../solve/limits";
import { useLanguages } from "../../solve/languages";
import { Answered } from "../../ui/Answered";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { duration, memory } from "../../ui/Time";
import { EditLimits } from "./EditLimits";
import type { PartProps } from "./ProblemParts";

/** The limits as written, and what they come to in each language. */
export function Limits({ problem, changed }: PartProps) {
  const languages = useLanguages();
  const limits = problem.limits;
  const bytes = (amount: number | null | undefined): string => (amount ? memory(amount) : t("limits.usual"));
  return (
    <>
      <Section title={t("limits.written")}>
        <dl class="facts">
          <Fact name={t("submission.time")} value={limits?.time_ms ? duration(limits.time_ms) : t("limits.usual")} />
          <Fact name={t("submission.memory")} value={bytes(limits?.memory_bytes)} />
          <Fact name={t("run.output")} value={bytes(limits?.output_bytes)} />
          <Fact name={t("limits.stack")} value={bytes(limits?.stack_bytes)} />
          <Fact name={t("limits.processes")} value={limits?.processes ? String(limits.processes) : t("limits.usual")} />
          <Fact name={t("solve.source")} value={bytes(limits?.source_bytes)} />
        </dl>
        <EditLimits problem={problem} changed={changed} />
      </Section>
      <Section title={t("limits.by_language")}>
        <Answered of={languages}>
          {(data) => (
            <Table
              caption={t("limits.by_language")}
              rows={data.items.filter((each) => problem.languages.length === 0 || problem.languages.includes(each.slug))}
              rowKey={(row) => row.slug}
              columns={[
                { title: t("solve.language"), kind: "wide", cell: (row) => row.name },
                { title: t("submission.time"), kind: "number", cell: (row) => shown(limitsOf(limits, row).time, duration) },
                { title: t("submission.memory"), kind: "number", cell: (row) => shown(limitsOf(limits, row).memory, memory) },
                { title: t("limits.own"), kind: "narrow", cell: (row) => (limits?.per_language?.some((each) => each.language === row.slug) ? t("tests.yes") : "") },
              ]}
            />
          )}
        </Answered>
      </Section>
    </>
  );
}

const shown = (amount: number | null, text: (amount: number) => string): string => (amount === null ? t("limits.usual") : text(amount));

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
