import { useState } from "preact/hooks";
import { call } from "../../api/call";
import type { ProblemRevision } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { savePackage } from "../../save";
import { Answered } from "../../ui/Answered";
import { Failure } from "../../ui/Failure";
import { Icon } from "../../ui/Icon";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { At } from "../../ui/Time";
import { useAction, useCall } from "../../use";
import { limitChanges, readingChanges, testChanges } from "./changes";
import { Outdated } from "./Outdated";
import type { PartProps } from "./ProblemParts";

interface Told {
  number: number;
  changes: string[];
}

/** Every revision, what it changed, and whether verdicts of it are still good. */
export function Revisions({ problem }: PartProps) {
  const path = { problem: problem.id };
  const revisions = useCall("GET /api/problems/{problem}/revisions", { path });
  const [told, setTold] = useState<Told | null>(null);
  const compare = useAction(async (number: number) => {
    setTold(null);
    const [before, after] = await Promise.all([number - 1, number].map((revision) => call("GET /api/problems/{problem}", { path, query: { revision } })));
    const [old, fresh] = await Promise.all([number - 1, number].map((revision) => call("GET /api/problems/{problem}/judging", { path, query: { revision } })));
    if (before && after && old && fresh) setTold({ number, changes: [...readingChanges(before, after), ...limitChanges(before, after), ...testChanges(old, fresh)] });
  });
  const save = useAction((revision: number) => savePackage(problem.id, `${problem.slug}-${revision}`, { revision }));
  const error = compare.error ?? save.error;
  return (
    <>
      {revisions.data && <Outdated problem={problem} revisions={revisions.data.items} />}
      <Section title={t("setter.revisions")}>
        <Answered of={revisions}>{(data) => <List items={data.items} compare={(number) => void compare.run(number)} save={(number) => void save.run(number)} busy={compare.busy || save.busy} />}</Answered>
        {error && <Failure of={error} />}
        {told && (
          <div class="panel" role="status">
            <h3>{t("revisions.changed_in", { n: told.number })}</h3>
            {told.changes.length ? (
              <ul>
                {told.changes.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            ) : (
              <p>{t("changes.none")}</p>
            )}
          </div>
        )}
      </Section>
    </>
  );
}

function List({ items, compare, save, busy }: { items: readonly ProblemRevision[]; compare: (number: number) => void; save: (number: number) => void; busy: boolean }) {
  const rows = [...items].sort((one, other) => other.number - one.number);
  const before = (row: ProblemRevision): ProblemRevision | undefined => items.find((each) => each.number === row.number - 1);
  const effect = (row: ProblemRevision): string => {
    const previous = before(row);
    return !previous ? t("revisions.first") : previous.judge_hash === row.judge_hash ? t("revisions.same_hash") : t("revisions.other_hash");
  };
  return (
    <Table
      caption={t("setter.revisions")}
      rows={rows}
      rowKey={(row) => row.number}
      columns={[
        { title: "#", kind: "number", cell: (row) => row.number },
        { title: t("submission.when"), kind: "narrow", cell: (row) => <At at={row.made_at} /> },
        { title: t("revisions.parts"), cell: (row) => row.changes.map((each) => t(`revision_part.${each}` as Key)).join(", ") },
        { title: t("revisions.effect"), kind: "wide", cell: effect },
        { title: t("revisions.outdated"), kind: "number", cell: (row) => row.outdated_submissions || "" },
        { title: t("again.hash"), kind: "narrow", cell: (row) => <code title={row.judge_hash}>{row.judge_hash.slice(0, 12)}</code> },
        { title: t("revisions.changed"), kind: "narrow", cell: (row) => before(row) && <button type="button" disabled={busy} aria-label={t("revisions.changed_in", { n: row.number })} onClick={() => compare(row.number)}>{t("revisions.changed")}</button> },
        { title: <span class="visually-hidden">{t("tests.package")}</span>, kind: "narrow", cell: (row) => <button type="button" class="quiet icon-only" disabled={busy} aria-label={t("revisions.package", { n: row.number })} onClick={() => save(row.number)}><Icon name="download" /></button> },
      ]}
    />
  );
}
