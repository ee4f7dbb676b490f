import type { Clarification } from "../api/schema";
import { serverNow } from "../clock";
import { t } from "../i18n";
import { on, want } from "../live";
import { place } from "../router";
import { recall, remember } from "../store";
import { notify } from "../ui/notices";

interface Followed {
  contest: string;
  /** "own" or "admin" of one's own contest: its questions and answers are told on every page. */
  view: string;
  until: string;
}

const KEY = "contest";
const kept = (): Followed | null => {
  const found = recall<Followed | null>(KEY, null);
  return found && Date.parse(found.until) > serverNow() ? found : null;
};

function resume(): () => void {
  const found = kept();
  return found ? want({ contest: found.contest, view: found.view }) : () => undefined;
}

/** Hear of a contest until the function that comes back is called; of one's own contest also after that. */
export function follow(contest: Followed, view: string): () => void {
  if (contest.view !== "public" && Date.parse(contest.until) > serverNow()) remember(KEY, contest);
  const leave = want({ contest: contest.contest, view });
  return () => {
    leave();
    resume();
  };
}

function tell(contestId: string, told: Clarification): void {
  const href = `/contests/${contestId}/clarifications`;
  if (place.peek().path === href || place.peek().path === `/contests/${contestId}/manage/questions`) return;
  const text = told.asked_by === null ? t("clarify.notice_broadcast", { text: told.text }) : told.answer ? t("clarify.notice_answer", { text: told.answer }) : t("clarify.notice_question", { text: told.text });
  notify(text, { href, stays: true });
}

/** Answers and announcements of one's contest are told on whatever page one is. */
export function startFollowing(): void {
  resume();
  on("clarification", ({ contest_id: contestId, clarification }) => tell(contestId, clarification));
}
