import { call } from "../api/call";
import type { Ran, Sample } from "../api/schema";

export interface SampleRun {
  ran: Ran;
  /** Whether it printed what is shown, spaces at the ends of lines aside. What else is right, the problem's checker says. */
  same: boolean;
}

const trimmed = (text: string): string => text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();

export async function runSample(sample: Sample, body: { language: string; source: string; sample: { problem_id: string; contest_id?: string; number: number } }): Promise<SampleRun> {
  const ran = await call("POST /api/runs", { body });
  return { ran, same: trimmed(ran.stdout) === trimmed(sample.output) };
}
