import type { RankExplanation } from "../../api/schema";
import { find, t, type Key } from "../../i18n";
import { Dialog } from "../../ui/Dialog";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Table } from "../../ui/Table";
import { asClock, exactly } from "../../ui/Time";
import { Verdict } from "../../ui/Verdict";
import { useCall } from "../../use";
import { nameOf, userOf, type Row } from "./rows";

const MICROS = 1_000_000;

/** What separates a rank from the next better one, in a sentence. */
function gapText({ gap }: RankExplanation): string {
  const by = gap.code === "points_micros" ? gap.by / MICROS : gap.by;
  const text = t(`gap.${gap.code}` as Key, { n: by, rank: gap.rank, better: gap.better_rank });
  return gap.shared_with ? `${text} ${t("gap.shared", { n: gap.shared_with })}` : text;
}

/** Which submissions made a rank, now or at a moment of the past. */
export function Explain({ contestId, row, at, close }: { contestId: string; row: Row | null; at: string | null; close: () => void }) {
  const asked = useCall("GET /api/contests/{contest_id}/scoreboard/{user_id}/explain", row ? { path: { contest_id: contestId, user_id: userOf(row) }, query: at ? { at } : {} } : null);
  const { data, error } = asked;
  return (
    <Dialog title={row ? t("explain.title", { name: nameOf(row) }) : ""} open={row !== null} close={close} wide>
      {at && <p class="muted">{t("board.as_of", { time: exactly(at) })}</p>}
      {error && !data && <Failure of={error} retry={asked.reload} />}
      {!data && !error && <Loading />}
      {data && <p class="explain-gap">{gapText(data)}</p>}
      {data?.submissions.length === 0 && <Empty title={t("contest.no_submissions")} />}
      {data && data.submissions.length > 0 && (
        <Table
          caption={t("nav.submissions")}
          rows={data.submissions}
          rowKey={(each) => each.submission_id || `${each.label}${each.after_start_ms}`}
          columns={[
            { title: t("explain.after"), kind: "number", cell: (each) => asClock(each.after_start_ms) },
            { title: t("submission.problem"), kind: "narrow", cell: (each) => each.label },
            { title: t("submission.verdict"), kind: "narrow", cell: (each) => (each.verdict ? <Verdict code={each.verdict} /> : <span class="verdict verdict-waiting">? {t("explain.unknown")}</span>) },
            { title: t("contest.points"), kind: "number", cell: (each) => each.score || "" },
            { title: t("explain.effect"), kind: "wide", cell: (each) => find(`effect.${each.effect}`) ?? each.effect },
            { title: <span class="visually-hidden">{t("submission.details")}</span>, kind: "narrow", cell: (each) => each.submission_id && <a href={`/submissions/${each.submission_id}`}>{t("submission.details")}</a> },
          ]}
        />
      )}
    </Dialog>
  );
}
