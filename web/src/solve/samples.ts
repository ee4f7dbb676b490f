import { call } from "../api/call";
import type { Ran, Sample } from "../api/schema";

export interface SampleRun {
  ran: Ran;
  /** Whether it printed what is expected, spaces at the ends of lines aside. The judge may be more lenient. */
  matches: boolean;
}

const trimmed = (text: string): string => text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();

export async function runSample(sample: Sample, language: string, source: string, timeLimit: number | null): Promise<SampleRun> {
  const ran = await call("POST /api/runs", {
    body: { language, source, input: sample.input, ...(timeLimit ? { time_limit_ms: Math.min(timeLimit, 10_000) } : {}) },
  });
  return { ran, matches: ran.verdict === "OK" && ran.exit_code === 0 && trimmed(ran.stdout) === trimmed(sample.output) };
}
