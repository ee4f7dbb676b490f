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

/** Put rows in order and count their ranks: a sort key ends with the account, what is before it is equal for equal rows. */
export function order(rows: Row[]): void {
  rows.sort((one, other) => (one[7] < other[7] ? -1 : one[7] > other[7] ? 1 : 0));
  let ranked = 0;
  let rank = 0;
  let last = "";
  for (const row of rows) {
    if (row[3] !== "official") continue;
    ranked += 1;
    const key = row[7].slice(0, -ACCOUNT_LENGTH);
    if (key !== last) rank = ranked;
    last = key;
    row[0] = rank;
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
