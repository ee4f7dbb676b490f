import type { WorkerAttempt } from "../../api/schema";

export const STATES = ["finished", "running", "failed", "worker_lost", "cancelled"] as const;
export type State = (typeof STATES)[number];

export interface Bar {
  key: string;
  attempt: WorkerAttempt;
  state: State;
  begin: number;
  end: number;
  /** Which of the lines of its worker it is on: one for each that it had at once. */
  line: number;
}

export interface Track {
  worker: string;
  bars: Bar[];
  lines: number;
}

/** Each worker's attempts on as few lines as do not let two overlap; those that are alive first. */
export function tracksOf(attempts: readonly WorkerAttempt[], alive: readonly string[], now: number): Track[] {
  const byWorker = new Map<string, WorkerAttempt[]>([...alive].sort().map((name) => [name, []]));
  for (const each of attempts) byWorker.set(each.worker, [...(byWorker.get(each.worker) ?? []), each]);
  return [...byWorker].map(([worker, own]) => stacked(worker, own, now));
}

function stacked(worker: string, attempts: readonly WorkerAttempt[], now: number): Track {
  const ends: number[] = [];
  const bars = attempts.map((attempt) => {
    const begin = Date.parse(attempt.started_at ?? "");
    const end = attempt.ended_at ? Date.parse(attempt.ended_at) : now;
    const free = ends.findIndex((each) => each <= begin);
    const line = free < 0 ? ends.length : free;
    ends[line] = end;
    const state = attempt.ended_at ? ((attempt.outcome ?? "finished") as State) : "running";
    return { key: `${attempt.submission_id}.${attempt.attempt}`, attempt, state, begin, end, line };
  });
  return { worker, bars, lines: Math.max(1, ends.length) };
}
