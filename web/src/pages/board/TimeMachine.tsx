import { useEffect, useState } from "preact/hooks";
import type { Contest } from "../../api/schema";
import { now } from "../../clock";
import { t } from "../../i18n";
import { place, setQuery } from "../../router";
import { Copy } from "../../ui/Copy";
import { Icon } from "../../ui/Icon";
import { asClock, exactly } from "../../ui/Time";

const STEP_MS = 60_000;
const FRAMES = 60;
const FRAME_MS = 900;

/** The moment that the address asks for, if it is one. */
export function presentMoment(): string | null {
  const at = place.value.query.get("at");
  return at && !Number.isNaN(Date.parse(at)) ? new Date(at).toISOString() : null;
}

/** Any moment of the contest: drag to it, play from it, link to it. */
export function TimeMachine({ contest, at, ready }: { contest: Contest; at: string | null; ready: boolean }) {
  // A browser cuts off microseconds; before its start a contest has no board.
  const start = Date.parse(contest.schedule.starts_at) + 1;
  const until = Math.min(Date.parse(contest.schedule.ends_at), now.value);
  const end = start + Math.max(1, Math.ceil((until - start) / STEP_MS)) * STEP_MS;
  const [dragged, drag] = useState<number | null>(null);
  const [playing, play] = useState(false);
  const moment = dragged ?? (at ? Date.parse(at) : end);
  const show = (time: number | null): void => setQuery({ at: time === null ? null : new Date(time).toISOString() });

  useEffect(() => {
    if (!playing || !ready) return;
    const pace = Math.max(STEP_MS, Math.ceil((end - start) / FRAMES / STEP_MS) * STEP_MS);
    const later = setTimeout(() => {
      const next = moment + pace;
      if (next >= end) play(false);
      show(next >= end ? null : next);
    }, FRAME_MS);
    return () => clearTimeout(later);
  }, [playing, ready, at]);

  const begin = (): void => {
    if (!playing && !at) show(start);
    play(!playing);
  };
  const words = t("board.into", { clock: asClock(Math.max(0, moment - start)), time: exactly(new Date(moment).toISOString()) });
  return (
    <div class="time-machine">
      <button type="button" onClick={begin} aria-pressed={playing}>
        <Icon name={playing ? "cross" : "run"} /> {playing ? t("board.stop") : t("board.play")}
      </button>
      <input
        type="range"
        min={start}
        max={end}
        step={STEP_MS}
        value={moment}
        aria-label={t("board.moment")}
        aria-valuetext={words}
        onInput={(event) => drag(Number(event.currentTarget.value))}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value);
          drag(null);
          play(false);
          show(chosen >= end ? null : chosen);
        }}
      />
      <span class="numbers small">{words}</span>
      {at && (
        <>
          <Copy text={() => location.href} label={t("board.copy_moment")} />
          <button type="button" onClick={() => show(null)}>{t("board.to_now")}</button>
        </>
      )}
    </div>
  );
}
