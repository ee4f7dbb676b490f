import { useEffect, useState } from "preact/hooks";
import { me } from "../../api/session";
import type { BoardView, ContestDetail } from "../../api/schema";
import { ContestPage } from "../../contest/ContestPage";
import { useContest } from "../../contest/useContest";
import { freezeText, hasBegun } from "../../contest/words";
import { t, type Key } from "../../i18n";
import { place, setQuery, type PageProps } from "../../router";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { exactly } from "../../ui/Time";
import { BoardTable } from "./BoardTable";
import { Explain } from "./Explain";
import { nameOf, userOf, type Row } from "./rows";
import { presentMoment, TimeMachine } from "./TimeMachine";
import { useBoard } from "./useBoard";

const VIEWS: readonly BoardView[] = ["public", "own", "admin"];
const asked = (): BoardView | undefined => VIEWS.find((each) => each === place.value.query.get("view"));

/** The board of a contest: live, or as people saw it at any moment. */
export default function BoardPage({ params }: PageProps) {
  const id = params["id"] ?? "";
  const contest = useContest(id, asked());
  return (
    <ContestPage asked={contest} tab={t("contest.board")} wide>
      {(detail) =>
        hasBegun(detail.contest.phase) || detail.staff ? (
          <Shown detail={detail} />
        ) : (
          <div class="page">
            <h1>{t("contest.board")}</h1>
            <Empty title={t("board.later")} />
          </div>
        )
      }
    </ContestPage>
  );
}

/** What one may choose among, and the one that is chosen. */
function views(detail: ContestDetail): { chosen: BoardView; among: BoardView[] } {
  const among: BoardView[] = ["public", ...(detail.participant ? ["own" as const] : []), ...(detail.staff ? ["admin" as const] : [])];
  const wanted = asked();
  const usual = detail.staff ? "admin" : detail.participant ? "own" : "public";
  return { among, chosen: wanted && among.includes(wanted) ? wanted : usual };
}

function Shown({ detail }: { detail: ContestDetail }) {
  const { contest } = detail;
  const { chosen, among } = views(detail);
  const at = presentMoment();
  const { board, error, reload, loading } = useBoard(contest.id, chosen, at);
  const [explained, explain] = useState<Row | null>(null);
  const [target, aim] = useState<{ index: number } | null>(null);
  const mine = me.value?.id ?? null;
  const own = board && mine ? board.rows.findIndex((row) => userOf(row) === mine) : -1;
  const frozen = freezeText(contest);
  return (
    <div class="board-page">
      <div class="row spread">
        <h1>{t("contest.board")}</h1>
        <div class="row">
          {among.length > 1 && (
            <label>
              <span class="visually-hidden">{t("board.view")}</span>
              <select value={chosen} onChange={(event) => setQuery({ view: event.currentTarget.value })}>
                {among.map((each) => (
                  <option key={each} value={each}>{t(`view.${each}` as Key)}</option>
                ))}
              </select>
            </label>
          )}
          {own >= 0 && <button type="button" onClick={() => aim({ index: own })}>{t("board.to_me")}</button>}
          {board && <Finder rows={board.rows} aim={aim} />}
          <a class="button" href={`/api/contests/${contest.id}/scoreboard/export?view=${chosen}${at ? `&at=${encodeURIComponent(at)}` : ""}`} download>CSV</a>
          <a class="button" href={`/contests/${contest.id}/tv`}>{t("board.tv")}</a>
        </div>
      </div>
      {frozen && chosen !== "admin" && <p class="notice-line" role="status"><span aria-hidden="true">❄</span> {frozen}</p>}
      {chosen === "admin" && contest.schedule.freezes_at && !contest.unfrozen_at && contest.phase !== "before" && contest.phase !== "running" && <p class="notice-line" role="status">{t("board.admin_sees")}</p>}
      {at && <p class="notice-line" role="status">{t("board.as_of", { time: exactly(at) })} {t("board.as_of_text")}</p>}
      {hasBegun(contest.phase) && <TimeMachine contest={contest} at={at} ready={!loading} />}
      {error && !board && <Failure of={error} retry={reload} />}
      {!board && !error && <Loading />}
      {board && error && <Failure of={error} retry={reload} />}
      {board?.rows.length === 0 && <Empty title={t("board.empty")} />}
      {board && board.rows.length > 0 && <BoardTable board={board} format={contest.format} contestId={contest.id} mine={mine} target={target} explain={explain} />}
      <Legend icpc={contest.format === "icpc"} />
      <Explain contestId={contest.id} row={explained} at={at} close={() => explain(null)} />
    </div>
  );
}

/** Find a name; Enter goes to the next one. */
function Finder({ rows, aim }: { rows: readonly Row[]; aim: (target: { index: number }) => void }) {
  const [typed, type] = useState("");
  const [turn, setTurn] = useState(0);
  const wanted = typed.trim().toLowerCase();
  const found = wanted ? rows.flatMap((row, index) => (nameOf(row).toLowerCase().includes(wanted) ? [index] : [])) : [];
  const go = (to: number): void => {
    const index = found[to % Math.max(1, found.length)];
    setTurn(to);
    if (index !== undefined) aim({ index });
  };
  useEffect(() => {
    if (wanted) go(0);
  }, [wanted]);
  return (
    <search class="row">
      <label>
        <span class="visually-hidden">{t("board.find")}</span>
        <input type="search" value={typed} maxLength={100} placeholder={t("board.find")} onInput={(event) => type(event.currentTarget.value)} onKeyDown={(event) => event.key === "Enter" && go(turn + 1)} />
      </label>
      <span class="small muted" role="status">{wanted ? t("board.found", { n: found.length }) : ""}</span>
    </search>
  );
}

export function Legend({ icpc }: { icpc: boolean }) {
  return (
    <details class="small">
      <summary>{t("board.legend")}</summary>
      <ul class="legend">
        <li><span class="board-cell cell-first">★</span> {t("board.first")}</li>
        <li><span class="board-cell cell-solved">✓</span> {icpc ? t("board.legend_solved") : t("problems.mine_solved")}</li>
        {!icpc && <li><span class="board-cell cell-part">◐</span> {t("board.legend_part")}</li>}
        <li><span class="board-cell cell-rejected">✗</span> {t("board.legend_rejected")}</li>
        <li><span class="board-cell cell-pending">?</span> {t("board.legend_pending")}</li>
        <li><span class="board-cell">–</span> {t("board.legend_unranked")}</li>
      </ul>
      <p>{t("board.legend_rank")}</p>
    </details>
  );
}
