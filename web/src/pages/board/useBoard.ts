import { useEffect, useRef, useState } from "preact/hooks";
import type { BoardRow, BoardView } from "../../api/schema";
import type { Refusal } from "../../api/refusal";
import { on } from "../../live";
import { useCall } from "../../use";
import { asRow, placed, type Row } from "./rows";

export interface Board {
  labels: readonly string[];
  rows: readonly Row[];
  /** Counts the changes, so that what moved can be shown moving. */
  version: number;
}

const TOGETHER_MS = 120;

/** The whole board; the present one takes in the changes that are told of it. */
export function useBoard(contestId: string, view: BoardView, at: string | null): { board: Board | null; error: Refusal | null; reload: () => void; loading: boolean } {
  const asked = useCall("GET /api/contests/{contest_id}/scoreboard/compact", { path: { contest_id: contestId }, query: { view, ...(at ? { at } : {}) } });
  const [board, show] = useState<Board | null>(null);
  const kept = useRef<{ rows: Row[]; sequence: number; labels: readonly string[]; version: number } | null>(null);
  const told = useRef(new Map<string, { sequence: number; row: BoardRow }>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const takeIn = (): void => {
    timer.current = undefined;
    const state = kept.current;
    if (!state) return;
    const changed = new Map([...told.current].filter(([, { sequence }]) => sequence > state.sequence).map(([user, { row }]) => [user, asRow(row, state.labels)]));
    told.current.clear();
    state.rows = placed(state.rows, changed);
    state.version += 1;
    show({ labels: state.labels, rows: state.rows, version: state.version });
  };

  useEffect(() => {
    const data = asked.data;
    if (!data) return;
    kept.current = { rows: data.rows.slice(), sequence: data.sequence, labels: data.problems, version: (kept.current?.version ?? 0) + 1 };
    if (!at && told.current.size) takeIn();
    else show({ labels: data.problems, rows: kept.current.rows, version: kept.current.version });
  }, [asked.data]);

  useEffect(() => {
    if (at) return;
    const leave = [
      on("row", (frame) => {
        if (frame.contest_id !== contestId || frame.view !== view) return;
        told.current.set(frame.row.participant.user_id, frame);
        timer.current ??= setTimeout(takeIn, TOGETHER_MS);
      }),
      on("reload", (frame) => {
        if (frame.contest_id === contestId && frame.view === view && frame.sequence > (kept.current?.sequence ?? 0)) asked.reload();
      }),
    ];
    return () => {
      leave.forEach((each) => each());
      clearTimeout(timer.current);
      timer.current = undefined;
      told.current.clear();
    };
  }, [contestId, view, at]);

  // A past board that takes long to make is asked for again when it says so.
  const coming = asked.error?.reason === "past_board_coming" || asked.error?.reason === "too_many_past_boards";
  useEffect(() => {
    if (!coming) return;
    const later = setTimeout(asked.reload, (asked.error?.retryAfter ?? 2) * 1000);
    return () => clearTimeout(later);
  }, [asked.error]);
  return { board, error: coming ? null : asked.error, reload: asked.reload, loading: asked.loading || coming };
}
