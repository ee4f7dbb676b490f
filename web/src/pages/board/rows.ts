import type { BoardRow, CompactBoard, Format } from "../../api/schema";
import { t } from "../../i18n";
import { asClock } from "../../ui/Time";

/** A row as it comes: rank, user, name, kind, solved, score, penalty, sort key, cells. */
export type Row = CompactBoard["rows"][number];
export const rankOf = (row: Row): number => row[0];
export const userOf = (row: Row): string => row[1];
export const nameOf = (row: Row): string => row[2];
export const kindOf = (row: Row): Row[3] => row[3];

export interface Cell {
  rejected: number;
  pending: number;
  solvedMs: number | null;
  score: number;
  first: boolean;
}

/** A cell ends where only nothing would follow. */
export function cellOf(row: Row, index: number): Cell {
  const [rejected, pending, solvedMs, score, first] = row[8][index] ?? [];
  return { rejected: rejected ?? 0, pending: pending ?? 0, solvedMs: solvedMs ?? null, score: score ?? 0, first: first === 1 };
}

export function asRow(row: BoardRow, labels: readonly string[]): Row {
  const cells = new Map(row.cells.map((each) => [each.label, each]));
  const compact = labels.map((label) => {
    const cell = cells.get(label);
    return cell ? [cell.rejected, cell.pending, cell.solved_after_ms, cell.score, Number(cell.first_to_solve)] : [];
  });
  return [row.rank, row.participant.user_id, row.participant.display_name, row.participant.kind, row.solved, row.score, row.penalty_ms, row.sort_key, compact];
}

const ACCOUNT_LENGTH = 36;

/** Put changed rows where their keys belong among those that are in order, and count ranks. */
export function placed(rows: readonly Row[], changed: ReadonlyMap<string, Row>): Row[] {
  const all = rows.filter((row) => !changed.has(userOf(row)));
  for (const row of changed.values()) all.splice(placeOf(row, all), 0, row);
  rank(all);
  return all;
}

function placeOf(row: Row, among: readonly Row[]): number {
  let from = 0;
  let to = among.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((among[middle] as Row)[7] < row[7]) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** A sort key ends with the account; what is before it is equal for equal rows. */
function rank(rows: readonly Row[]): void {
  let ranked = 0;
  let present = 0;
  let last = "";
  for (const row of rows) {
    if (row[3] !== "official") continue;
    ranked += 1;
    const key = row[7].slice(0, -ACCOUNT_LENGTH);
    if (key !== last) present = ranked;
    last = key;
    row[0] = present;
  }
}

export const hasPenalty = (format: Format): boolean => format === "icpc" || format === "atcoder";
export const penaltyText = (format: Format, milliseconds: number): string => (format === "icpc" ? String(Math.floor(milliseconds / 60_000)) : asClock(milliseconds));
const minutes = (milliseconds: number): number => Math.floor(milliseconds / 60_000);

/** What a cell shows; signs, so that it says the same without colours. */
export function cellText(cell: Cell, format: Format): string {
  const solved = cell.solvedMs !== null;
  const waiting = cell.pending ? `?${cell.pending}` : "";
  if (format === "icpc") {
    if (solved) return `${cell.first ? "★" : "✓"}${cell.rejected ? `+${cell.rejected}` : ""} ${minutes(cell.solvedMs ?? 0)}`;
    return [cell.rejected ? `✗${cell.rejected}` : "", waiting].filter(Boolean).join(" ");
  }
  const sign = cell.first ? "★" : solved ? "✓" : cell.score > 0 ? "◐" : cell.rejected ? "✗" : "";
  return [sign && `${sign} ${cell.score > 0 ? Number(cell.score.toFixed(2)) : cell.rejected || 0}`, waiting].filter(Boolean).join(" ");
}

/** The same in words. */
export function cellWords(label: string, cell: Cell, format: Format): string {
  const parts = [
    ...(cell.solvedMs !== null ? [t("board.solved_after", { n: minutes(cell.solvedMs) })] : []),
    ...(format !== "icpc" && (cell.score > 0 || cell.solvedMs !== null) ? [t("submission.points", { n: cell.score })] : []),
    ...(cell.rejected ? [t("board.tries", { n: cell.rejected })] : []),
    ...(cell.pending ? [t("board.pending", { n: cell.pending })] : []),
    ...(cell.first ? [t("board.first")] : []),
  ];
  return `${label}: ${parts.length ? parts.join(", ") : t("board.untried")}`;
}

export const cellClass = (cell: Cell): string => (cell.first ? "cell-first" : cell.solvedMs !== null ? "cell-solved" : cell.pending ? "cell-pending" : cell.score > 0 ? "cell-part" : cell.rejected ? "cell-rejected" : "");
