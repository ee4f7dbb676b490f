import { useState } from "preact/hooks";
import { address } from "../../api/call";
import type { Case, CaseFile, Checker, JudgeSpec, PackageFormat } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { savePackage } from "../../save";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Icon } from "../../ui/Icon";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { useAction, useCall } from "../../use";
import type { PartProps } from "./ProblemParts";

const SHOWN = 100;

/** Groups, cases with their files, the checker, and the whole as a package. */
export function Tests({ problem }: PartProps) {
  const judging = useCall("GET /api/problems/{problem}/judging", { path: { problem: problem.id } });
  return (
    <>
      <Package problem={problem} />
      <Answered of={judging}>
        {(data) => (
          <>
            <p class="muted">
              {t("tests.of_revision", { n: data.revision })} <code title={data.judge_hash}>{data.judge_hash.slice(0, 12)}</code>
            </p>
            <Section title={t("tests.checker")}>
              <p>{checkerText(data.judging.checker)}</p>
            </Section>
            {(data.judging.groups ?? []).length > 0 && <Groups of={data.judging} />}
            <Section title={t("cases.title")}>{data.judging.cases.length ? <Cases of={data.judging.cases} problem={problem.id} /> : <Empty title={t("tests.none")} />}</Section>
          </>
        )}
      </Answered>
    </>
  );
}

const FORMATS: readonly PackageFormat[] = ["2025-09", "legacy", "polygon"];

/** Fetched rather than linked to: what a format cannot say is told here. */
function Package({ problem }: Pick<PartProps, "problem">) {
  const [format, choose] = useState<PackageFormat>("2025-09");
  const download = useAction(() => savePackage(problem.id, problem.slug, { format }));
  return (
    <>
      <div class="row">
        <label class="row">
          {t("tests.format")}
          <select value={format} onChange={(event) => choose(event.currentTarget.value as PackageFormat)}>
            {FORMATS.map((each) => (
              <option key={each} value={each}>
                {t(`package_format.${each}` as Key)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={download.busy} onClick={() => void download.run()}>
          <Icon name="download" /> {t("tests.package")}
        </button>
      </div>
      {download.error && <Failure of={download.error} />}
    </>
  );
}

function checkerText({ builtin, program }: Checker): string {
  if (program) return t(program.interactive ? "tests.interactor" : "tests.program", { language: program.language, files: program.sources.map((each) => each.name).join(", ") });
  return builtin ? t(`checker.${builtin.mode}` as Key) : "";
}

function Groups({ of }: { of: JudgeSpec }) {
  return (
    <Section title={t("cases.groups")}>
      <Table
        caption={t("cases.groups")}
        rows={of.groups ?? []}
        rowKey={(row) => row.name}
        columns={[
          { title: t("cases.group"), kind: "wide", cell: (row) => row.name },
          { title: t("tests.scoring"), cell: (row) => t(`scoring.${row.scoring}` as Key) },
          { title: t("cases.score"), kind: "number", cell: (row) => row.points ?? "" },
          { title: t("tests.needs"), cell: (row) => row.depends_on?.join(", ") },
          { title: t("cases.title"), kind: "number", cell: (row) => of.cases.filter((each) => each.group === row.name).length },
        ]}
      />
    </Section>
  );
}

interface Numbered extends Case {
  number: number;
}

function Cases({ of, problem }: { of: readonly Case[]; problem: string }) {
  const [shown, show] = useState(SHOWN);
  const rows: Numbered[] = of.slice(0, shown).map((each, index) => ({ ...each, number: index + 1 }));
  const grouped = of.some((each) => each.group);
  return (
    <>
      <Table
        caption={t("cases.title")}
        rows={rows}
        rowKey={(row) => row.number}
        columns={[
          { title: "#", kind: "number", cell: (row) => row.number },
          { title: t("cases.name"), kind: "wide", cell: (row) => row.name },
          ...(grouped ? [{ title: t("cases.group"), cell: (row: Numbered) => row.group }] : []),
          { title: t("tests.sample"), kind: "narrow", cell: (row) => (row.sample ? t("tests.yes") : "") },
          { title: t("tests.input"), kind: "narrow", cell: (row) => <File problem={problem} number={row.number} file="input" /> },
          { title: t("tests.answer"), kind: "narrow", cell: (row) => <File problem={problem} number={row.number} file="answer" /> },
        ]}
      />
      {shown < of.length && (
        <p class="actions">
          <button type="button" onClick={() => show(shown + 10 * SHOWN)}>
            {t("tests.more", { n: of.length - shown })}
          </button>
        </p>
      )}
    </>
  );
}

function File({ problem, number, file }: { problem: string; number: number; file: CaseFile }) {
  const name = t("tests.download", { n: number, file: t(`tests.${file}` as Key) });
  return (
    <a href={address("GET /api/problems/{problem}/cases/{number}/{file}", { path: { problem, number, file } })} download={`${number}.${file}`} aria-label={name} title={name}>
      {`${number}.${file}`}
    </a>
  );
}
