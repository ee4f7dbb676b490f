import { useId, useState } from "preact/hooks";
import { serverNow } from "../../clock";
import { t, type Key } from "../../i18n";
import { go } from "../../router";
import { Answered } from "../../ui/Answered";
import { Select } from "../../ui/Field";
import { Section } from "../../ui/Section";
import { clockTime, duration } from "../../ui/Time";
import { useCall, useEvery } from "../../use";
import { STATES, tracksOf, type Bar, type Track } from "./timeline";

const MINUTES = ["2", "10", "60"];
const MARKS = [0, 0.25, 0.5, 0.75, 1];

interface Span {
  from: number;
  to: number;
}

/** The life lines of submissions by the worker that had them: who ran what, and when. */
export function Timelines({ alive }: { alive: readonly string[] }) {
  const [minutes, setMinutes] = useState("10");
  const asked = useCall("GET /api/admin/attempts", { query: { minutes: Number(minutes) } });
  useEvery(3000, !asked.error, asked.reload);
  const to = serverNow();
  const span = { from: to - Number(minutes) * 60_000, to };
  return (
    <Section title={t("timeline.title")}>
      <p class="muted small">{t("timeline.text")}</p>
      <div class="timeline-shown">
        <Select label={t("timeline.shown")} value={minutes} change={setMinutes} options={MINUTES.map((value) => ({ value, text: t("timeline.minutes", { n: value }) }))} />
      </div>
      <ul class="timeline-legend small">
        {STATES.map((each) => (
          <li key={each}>
            <span class={`timeline-sample timeline-${each}`} aria-hidden="true" /> {t(`timeline.${each}`)}
          </li>
        ))}
      </ul>
      <Answered of={asked}>
        {({ items, cut }) => (
          <>
            {cut && <p class="small">{t("timeline.cut", { n: items.length })}</p>}
            <div class="timeline">
              {tracksOf(items, alive, to).map((track) => (
                <TrackRow key={track.worker} track={track} alive={alive.includes(track.worker)} span={span} />
              ))}
              <ol class="timeline-marks small muted numbers" aria-hidden="true">
                {MARKS.map((each) => (
                  <li key={each}>{clockTime(new Date(span.from + each * (span.to - span.from)).toISOString())}</li>
                ))}
              </ol>
            </div>
          </>
        )}
      </Answered>
    </Section>
  );
}

function TrackRow({ track, alive, span }: { track: Track; alive: boolean; span: Span }) {
  const [chosen, choose] = useState<string | null>(null);
  const id = useId();
  const bars = track.bars.filter((bar) => bar.end > span.from);
  const place = bars.findIndex((bar) => bar.key === chosen);
  const bar = bars[place];
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = bars.length - 1;
    const next = { ArrowLeft: place < 0 ? last : Math.max(0, place - 1), ArrowRight: place < 0 ? last : Math.min(last, place + 1), Home: 0, End: last }[event.key];
    if (next !== undefined) choose(bars[next]?.key ?? null);
    else if (event.key === "Enter" && bar) go(`/submissions/${bar.attempt.submission_id}`);
    else return;
    event.preventDefault();
  };
  return (
    <div class="timeline-row">
      <p class="timeline-name">
        <code>{track.worker}</code> {!alive && <span class="muted small">{t("timeline.gone")}</span>}
      </p>
      <div class="timeline-lines">
        {bars.length === 0 ? (
          <p class="muted small">{t("timeline.nothing")}</p>
        ) : (
          <div role="listbox" class="timeline-track" tabIndex={0} aria-label={t("timeline.of", { worker: track.worker })} aria-orientation="horizontal" aria-activedescendant={bar ? `${id}${bar.key}` : undefined} style={{ height: `${track.lines * 1.25}rem` }} onKeyDown={onKeyDown}>
            {bars.map((each) => (
              <span key={each.key} id={`${id}${each.key}`} role="option" aria-selected={each.key === chosen} aria-label={told(each)} title={told(each)} class={`timeline-bar timeline-${each.state}`} style={shape(each, span)} onClick={() => choose(each.key)} />
            ))}
          </div>
        )}
        {bar && (
          <p class="small">
            <a href={`/submissions/${bar.attempt.submission_id}`}>{t("timeline.open")}</a> {told(bar)}
          </p>
        )}
      </div>
    </div>
  );
}

function shape({ begin, end, line }: Bar, { from, to }: Span): Record<string, string> {
  const at = (moment: number): number => (100 * (Math.min(Math.max(moment, from), to) - from)) / (to - from);
  return { left: `${at(begin)}%`, width: `${at(end) - at(begin)}%`, top: `${line * 1.25}rem` };
}

function told({ attempt, state, begin, end }: Bar): string {
  const parts = [attempt.language, clockTime(attempt.started_at ?? ""), duration(end - begin), t(`timeline.${state}` as Key)];
  if (attempt.attempt > 1) parts.push(t("timeline.attempt", { n: attempt.attempt }));
  if (attempt.reason) parts.push(attempt.reason);
  return parts.join(" · ");
}
