import { now } from "../clock";
import { locale, t } from "../i18n";

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

function relative(at: number): string {
  const difference = at - now.value;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? ["second", 1000];
  const amount = unit === "second" && Math.abs(difference) < 10_000 ? 0 : Math.round(difference / size);
  return new Intl.RelativeTimeFormat(locale.value, { numeric: "auto", style: "short" }).format(amount, unit);
}

export const exactly = (at: string): string => new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));
export const clockTime = (at: string): string => new Intl.DateTimeFormat(locale.value, { timeStyle: "medium" }).format(new Date(at));

/** "3 minutes ago", with the exact time as its title. */
export function Ago({ at }: { at: string | null | undefined }) {
  if (!at) return null;
  return (
    <time dateTime={at} title={exactly(at)}>
      {relative(Date.parse(at))}
    </time>
  );
}

/** The date and time in the reader's own zone. */
export function At({ at }: { at: string | null | undefined }) {
  if (!at) return null;
  return <time dateTime={at}>{new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at))}</time>;
}

/** Time as on a clock: 1:02:03, with days before it. */
export function asClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const days = Math.floor(seconds / 86_400);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
  return days ? t("time.days", { n: days, clock }) : clock;
}

/** Counts down to a moment by the server's clock. */
export function Countdown({ to }: { to: string }) {
  const left = Date.parse(to) - now.value;
  return (
    <time class="countdown" dateTime={to} title={exactly(to)} role="timer">
      {asClock(left)}
    </time>
  );
}

/** A duration as people read it: 12 ms, 1.24 s, 3 min. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}

/** An amount of memory: 512 KiB, 3.2 MiB. */
export function memory(bytes: number): string {
  if (bytes < 1 << 20) return `${Math.round(bytes / 1024)} KiB`;
  const mebibytes = bytes / (1 << 20);
  return `${mebibytes < 10 ? mebibytes.toFixed(1).replace(/\.0$/, "") : Math.round(mebibytes)} MiB`;
}
