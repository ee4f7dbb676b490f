import type { Status, Verdict as Code } from "../api/schema";
import { t, type Key } from "../i18n";

// Never colour alone: each has its code and its sign.
export const SIGNS: Record<Code, string> = { AC: "✓", WA: "✗", PE: "¶", TLE: "◷", MLE: "▦", OLE: "≫", RE: "!", CE: "⚙", SE: "⚠" };

export function Verdict({ code, long = false }: { code: Code; long?: boolean }) {
  const name = t(`verdict.${code}` as Key);
  return (
    <span class={`verdict verdict-${code}`} title={long ? undefined : name}>
      <span aria-hidden="true">{SIGNS[code]}</span> {long ? name : <abbr title={name}>{code}</abbr>}
    </span>
  );
}

/** How far a submission is, or its verdict. */
export function Outcome({ status, verdict, long = false, text }: { status: Status; verdict: Code | null | undefined; long?: boolean; text?: string }) {
  if (verdict) return <Verdict code={verdict} long={long} />;
  const busy = status === "pending" || status === "dispatched" || status === "running";
  return (
    <span class={`verdict ${busy ? "verdict-waiting" : "verdict-CE"}`}>
      <span class={busy ? "spinner" : ""} aria-hidden="true">
        {busy ? "" : "–"}
      </span>{" "}
      {text ?? t(`status.${status}` as Key)}
    </span>
  );
}
