import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Format } from "../../api/schema";
import { locale, t, type Key } from "../../i18n";
import { cellClass, cellOf, cellText, cellWords, hasPenalty, kindOf, nameOf, penaltyText, rankOf, userOf, type Row } from "./rows";
import type { Board } from "./useBoard";

interface Given {
  board: Board;
  format: Format;
  contestId: string;
  mine: string | null;
  /** A row to go to; another object goes there again. */
  target: { index: number } | null;
  explain?: (row: Row) => void;
  /** Rows for a projector: larger, and they scroll by themselves. */
  large?: boolean;
}

const BEYOND = 6;
const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A board of any length: only the rows in sight exist. All rows have the same height. */
export function BoardTable({ board, format, contestId, mine, target, explain, large = false }: Given) {
  const frame = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [sight, see] = useState({ top: 0, height: 600 });
  const height = large ? 60 : 38;
  const { rows, labels } = board;

  const look = (): void => {
    const element = frame.current;
    if (element) see((before) => (before.top === element.scrollTop && before.height === element.clientHeight ? before : { top: element.scrollTop, height: element.clientHeight }));
  };
  useEffect(() => {
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  useEffect(() => {
    if (target) frame.current?.scrollTo({ top: Math.max(0, target.index * height - sight.height / 2 + height), behavior: calm() ? "auto" : "smooth" });
  }, [target]);
  useSlow(frame, large);
  useMoves(body, board, height);

  const first = Math.max(0, Math.floor(sight.top / height) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((sight.top + sight.height) / height) + BEYOND);
  const own = mine ? rows.findIndex((row) => userOf(row) === mine) : -1;
  const shared = { format, labels, contestId, ...(explain ? { explain } : {}) };
  const ownRow = rows[own];
  return (
    <div class={large ? "board board-large" : "board"} ref={frame} onScroll={look} tabIndex={0} role="region" aria-label={t("contest.board")}>
      <div class="board-table" role="table" aria-label={t("contest.board")} aria-rowcount={rows.length + 1} style={{ "--problems": labels.length, "--row": `${height}px` }}>
        <div class="board-top" role="rowgroup">
          <div class="board-row board-head" role="row" aria-rowindex={1}>
            <span role="columnheader" class="board-rank">{t("board.rank")}</span>
            <span role="columnheader" class="board-name">{t("board.name")}</span>
            <span role="columnheader" class="board-sum">{format === "icpc" ? t("board.solved") : t("contest.points")}</span>
            <span role="columnheader" class="board-sum">{hasPenalty(format) ? (format === "icpc" ? t("board.penalty") : t("submission.time")) : t("board.solved")}</span>
            {labels.map((label) => (
              <span key={label} role="columnheader" class="board-cell">
                <a href={`/contests/${contestId}/${encodeURIComponent(label)}`}>{label}</a>
              </span>
            ))}
          </div>
          {ownRow && !large && <Line row={ownRow} index={own} pinned {...shared} />}
        </div>
        <div role="rowgroup" class="board-body" ref={body} style={{ height: `${rows.length * height}px` }}>
          {rows.slice(first, last).map((row, offset) => (
            <Line key={userOf(row)} row={row} index={first + offset} top={(first + offset) * height} own={userOf(row) === mine} found={target?.index === first + offset} {...shared} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineGiven {
  row: Row;
  index: number;
  format: Format;
  labels: readonly string[];
  contestId: string;
  explain?: (row: Row) => void;
  top?: number;
  own?: boolean;
  pinned?: boolean;
  found?: boolean;
}

/** A row that is drawn again only when something of it is another: many are in sight, and few change. */
function Line({ row, index, format, labels, explain, top, own = false, pinned = false, found = false }: LineGiven) {
  const rank = rankOf(row) || "–";
  const shown = { row, rank, index, format, labels, explain, top, own, pinned, found };
  return useMemo(() => drawn(shown), [...Object.values(shown), locale.value]);
}

function drawn({ row, rank, index, format, labels, explain, top, own, pinned, found }: Omit<LineGiven, "contestId" | "explain" | "top"> & { rank: number | string; explain: LineGiven["explain"]; top: number | undefined }) {
  const kind = kindOf(row);
  const [, , , , solved, score, penalty] = row;
  return (
    <div class={`board-row${own || pinned ? " board-own" : ""}${pinned ? " board-pinned" : ""}${found ? " board-found" : ""}`} role="row" aria-rowindex={index + 2} data-user={pinned ? undefined : userOf(row)} style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}>
      <span role="cell" class="board-rank">
        {explain ? (
          <button type="button" class="link" onClick={() => explain(row)} aria-label={t("board.explain_of", { rank: String(rank), name: nameOf(row) })}>
            {rank}
          </button>
        ) : (
          rank
        )}
      </span>
      <span role="rowheader" class="board-name" title={nameOf(row)}>
        <span class="board-name-text">{nameOf(row)}</span>
        {kind !== "official" && <span class="tag">{t(`entrant.${kind}` as Key)}</span>}
      </span>
      <span role="cell" class="board-sum">{format === "icpc" ? solved : Number(score.toFixed(2))}</span>
      <span role="cell" class="board-sum muted">{hasPenalty(format) ? penaltyText(format, penalty) : solved}</span>
      {labels.map((label, at) => {
        const cell = cellOf(row, at);
        const words = cellWords(label, cell, format);
        return (
          <span key={label} role="cell" class={`board-cell ${cellClass(cell)}`} aria-label={words} title={words}>
            {cellText(cell, format)}
          </span>
        );
      })}
    </div>
  );
}

/** Rows that changed places are seen moving there. */
function useMoves(body: { current: HTMLDivElement | null }, board: Board, height: number): void {
  const before = useRef({ version: 0, places: new Map<string, number>() });
  useLayoutEffect(() => {
    const places = new Map<string, number>();
    const moved = board.version !== before.current.version && before.current.places.size > 0 && !calm();
    for (const element of body.current?.children ?? []) {
      const user = (element as HTMLElement).dataset["user"] ?? "";
      const now = Number(element.getAttribute("aria-rowindex")) - 2;
      const old = before.current.places.get(user);
      if (moved && old !== undefined && old !== now) {
        element.animate([{ transform: `translateY(${old * height}px)` }, { transform: `translateY(${now * height}px)` }], { duration: 450, easing: "ease-in-out" });
      }
      places.set(user, now);
    }
    before.current = { version: board.version, places };
  });
}

const PAGE_MS = 9000;

/** Down by what is in sight, and from the end to the top again. */
function useSlow(frame: { current: HTMLDivElement | null }, on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const step = setInterval(() => {
      const element = frame.current;
      if (!element) return;
      const end = element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
      element.scrollTo({ top: end ? 0 : element.scrollTop + element.clientHeight * 0.8, behavior: calm() || end ? "auto" : "smooth" });
    }, PAGE_MS);
    return () => clearInterval(step);
  }, [on]);
}
