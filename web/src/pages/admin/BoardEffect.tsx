import { useEffect, useState } from "preact/hooks";
import type { BoardRow, RankChange, RejudgedContest } from "../../api/schema";
import { t } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { useCall } from "../../use";

const AT_ONCE = 5;

/** How many rows of how many boards a rejudge moves; null while a shown one is not known. */
export function useMoves(): { moves: (contests: readonly RejudgedContest[]) => number | null; tell: Tell } {
  const [rows, setRows] = useState<Readonly<Record<string, number | null>>>({});
  const moves = (contests: readonly RejudgedContest[]): number | null => {
    const known = contests.map(({ contest_id }, index) => (contest_id in rows ? rows[contest_id]! : index < AT_ONCE ? null : 0));
    return known.includes(null) ? null : known.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  };
  return { moves, tell: (contest, moved) => setRows((before) => ({ ...before, [contest]: moved })) };
}

type Tell = (contest: string, rows: number | null) => void;

/** What a rejudge would do to the boards of the contests that it touches; of many contests, to those that are opened. */
export function BoardEffects({ contests, rejudge, judged, tell }: { contests: readonly RejudgedContest[]; rejudge: string; judged: number; tell: Tell }) {
  return (
    <Section title={t("effect.boards")}>
      {contests.map((each, index) => (
        <BoardEffect key={each.contest_id} contest={each} rejudge={rejudge} judged={judged} opened={index < AT_ONCE} tell={tell} />
      ))}
    </Section>
  );
}

const firsts = (row: BoardRow | null): string => row?.cells.filter((cell) => cell.first_to_solve).map((cell) => cell.label).join(", ") ?? "";

/** Who moves, who gains or loses a first solve, before any of it counts. */
function BoardEffect({ contest, rejudge, judged, opened, tell }: { contest: RejudgedContest; rejudge: string; judged: number; opened: boolean; tell: Tell }) {
  const [open, setOpen] = useState(opened);
  const effect = useCall("GET /api/contests/{contest_id}/rejudges/{rejudge_id}/preview", open ? { path: { contest_id: contest.contest_id, rejudge_id: rejudge } } : null);
  // Unknown until it is that of everything judged so far; a contest that is gone has no board to move on.
  const gone = effect.error !== null && !effect.error.passing;
  const rows = !open || gone ? 0 : effect.data?.judged === judged ? effect.data.changes.length : null;
  useEffect(() => effect.reload(), [judged]);
  useEffect(() => tell(contest.contest_id, rows), [rows]);
  const title = contest.title ?? contest.contest_id.slice(0, 8);
  const caption = t("effect.of", { contest: title });
  return (
    <details class="panel" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("effect.contest", { contest: title, n: contest.submissions })}</summary>
      {open && (
        <Answered of={effect}>
          {({ changes }) =>
            changes.length === 0 ? (
              <Empty title={t("effect.none")} />
            ) : (
              <>
                <p>{t("effect.summary", { n: changes.length, firsts: changes.filter((each) => firsts(each.before) !== firsts(each.after)).length })}</p>
                <Table
                  caption={caption}
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
      )}
    </details>
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
