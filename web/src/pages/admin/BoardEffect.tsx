import { useEffect } from "preact/hooks";
import type { BoardRow, RankChange, RankChanges } from "../../api/schema";
import { t } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { useCall, type Asked } from "../../use";

/** What a rejudge would do to a contest's board; asked again when more of it is judged. */
export function useBoardEffect(contest: string | null, rejudge: string, judged: number): Asked<RankChanges> {
  const effect = useCall("GET /api/contests/{contest_id}/rejudges/{rejudge_id}/preview", contest ? { path: { contest_id: contest, rejudge_id: rejudge } } : null);
  useEffect(() => effect.reload(), [judged]);
  return effect;
}

const firsts = (row: BoardRow | null): string => row?.cells.filter((cell) => cell.first_to_solve).map((cell) => cell.label).join(", ") ?? "";

/** Who moves, who gains or loses a first solve, before any of it counts. */
export function BoardEffect({ of }: { of: Asked<RankChanges> }) {
  return (
    <Section title={t("effect.title")}>
      <Answered of={of}>
        {({ changes }) =>
          changes.length === 0 ? (
            <Empty title={t("effect.none")} />
          ) : (
            <>
              <p>{t("effect.summary", { n: changes.length, firsts: changes.filter((each) => firsts(each.before) !== firsts(each.after)).length })}</p>
              <Table
                caption={t("effect.title")}
                rows={changes}
                rowKey={(row) => row.user_id}
                columns={[
                  { title: t("effect.who"), kind: "wide", cell: (row) => (row.after ?? row.before)?.participant.display_name ?? row.user_id.slice(0, 8) },
                  { title: t("effect.rank"), kind: "number", cell: (row) => <Move of={row} /> },
                  { title: t("effect.solved"), kind: "number", cell: (row) => pair(row, (each) => String(each.solved)) },
                  { title: t("effect.score"), kind: "number", cell: (row) => pair(row, (each) => String(each.score)) },
                  { title: t("moves.penalty"), kind: "number", cell: (row) => pair(row, (each) => String(each.penalty_minutes)) },
                  { title: t("effect.first"), cell: (row) => pair(row, (each) => firsts(each) || "—") },
                ]}
              />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

function pair({ before, after }: RankChange, shown: (row: BoardRow) => string): string {
  const [from, to] = [before ? shown(before) : "—", after ? shown(after) : "—"];
  return from === to ? from : `${from} → ${to}`;
}

function Move({ of }: { of: RankChange }) {
  const up = of.before && of.after ? of.before.rank - of.after.rank : 0;
  return (
    <>
      {up !== 0 && <span class={up > 0 ? "verdict-AC" : "verdict-WA"} aria-hidden="true">{up > 0 ? "▲ " : "▼ "}</span>}
      {pair(of, (each) => String(each.rank))}
    </>
  );
}
