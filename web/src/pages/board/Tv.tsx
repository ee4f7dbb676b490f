import { useEffect } from "preact/hooks";
import { useContest } from "../../contest/useContest";
import { freezeText, PhaseWords } from "../../contest/words";
import { t } from "../../i18n";
import { go, type PageProps } from "../../router";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { useTitle } from "../../use";
import { BoardTable } from "./BoardTable";
import { useBoard } from "./useBoard";

/** The public board for a projector: large, nothing around it, scrolling by itself. Escape leaves. */
export default function Tv({ params }: PageProps) {
  const id = params["id"] ?? "";
  const asked = useContest(id, "public");
  const { board, error, reload } = useBoard(id, "public", null);
  const contest = asked.data?.contest;
  useTitle(contest?.title);
  useEffect(() => {
    const leave = (event: KeyboardEvent): void => {
      if (event.key === "Escape") go(`/contests/${id}/board`);
    };
    document.documentElement.classList.add("tv");
    addEventListener("keydown", leave);
    return () => {
      document.documentElement.classList.remove("tv");
      removeEventListener("keydown", leave);
    };
  }, [id]);
  const failed = (!contest && asked.error) || (!board && error);
  if (failed) return <div class="page"><Failure of={failed} retry={reload} /></div>;
  if (!contest || !board) return <Loading />;
  const frozen = freezeText(contest);
  return (
    <div class="tv-page">
      <header class="row spread">
        <h1>{contest.title}</h1>
        <PhaseWords contest={contest} />
        <a class="tv-leave" href={`/contests/${id}/board`}>{t("board.leave_tv")}</a>
      </header>
      {(contest.phase === "frozen" || contest.phase === "ended") && frozen && <p>❄ {frozen}</p>}
      {board.rows.length ? <BoardTable board={board} format={contest.format} contestId={id} mine={null} target={null} large /> : <Empty title={t("board.empty")} />}
    </div>
  );
}
