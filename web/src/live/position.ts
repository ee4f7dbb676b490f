// How far a browser has heard, kept where the next page or tab finds it: a stream that is opened again goes on there.
import { recall, remember } from "../store";
import type { Frame } from "./frames";

interface Heard {
  /** Who: another reader begins anew. */
  reader: string;
  submissions: string;
  /** By contest and view; the latest is the last. */
  boards: Record<string, string>;
  at: number;
}

const KEY = "heard";
const BOARDS = 8;
// After that the state as it is costs less than all that has changed.
const RECENT_MS = 30 * 60_000;
// A row that is told again changes nothing, and on a busy board each would cost more to keep than to hear.
const ROWS_MS = 1000;

const nothing = (reader: string): Heard => ({ reader, submissions: "", boards: {}, at: 0 });
let heard = nothing("");

/** The id of the last event of this reader and board ("contest:view"), for `Last-Event-ID`; empty to begin anew. */
export function lastHeard(reader: string, board: string | null): string {
  const found = recall<Heard | null>(KEY, null);
  heard = found?.reader === reader && Date.now() - found.at < RECENT_MS ? found : nothing(reader);
  const sequence = board ? heard.boards[board] : undefined;
  return heard.submissions || sequence ? `${heard.submissions}|${sequence ? `${board}:${sequence}` : ""}` : "";
}

export function note(frame: Frame): void {
  if (!frame.id) return;
  const [submissions = "", place = ""] = frame.id.split("|");
  heard.submissions = submissions;
  const end = place.lastIndexOf(":");
  if (end > 0) {
    const { [place.slice(0, end)]: _, ...others } = heard.boards;
    heard.boards = Object.fromEntries([...Object.entries(others), [place.slice(0, end), place.slice(end + 1)]].slice(-BOARDS));
  }
  if (frame.event !== "row" || Date.now() - heard.at > ROWS_MS) keep();
}

export function keep(): void {
  heard.at = Date.now();
  remember(KEY, heard);
}
