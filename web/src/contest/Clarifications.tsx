import { useEffect, useState } from "preact/hooks";
import { call } from "../api/call";
import type { Clarification, ContestDetail } from "../api/schema";
import { t, titleOf } from "../i18n";
import { on } from "../live";
import { place, setQuery } from "../router";
import { recall, remember } from "../store";
import { Empty } from "../ui/Empty";
import { Failure } from "../ui/Failure";
import { Checkbox, Select, TextArea } from "../ui/Field";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { Pagination, presentCursor } from "../ui/Pagination";
import { Ago } from "../ui/Time";
import { useAction, useCall } from "../use";
import { useNames } from "./names";
import { isOver } from "./words";

const LONGEST = 10_000;

/** Questions, answers and announcements; the staff answers here too. */
export function Clarifications({ detail }: { detail: ContestDetail }) {
  const { contest, staff, participant } = detail;
  const asked = useCall("GET /api/contests/{contest_id}/clarifications", { path: { contest_id: contest.id }, query: { cursor: presentCursor(), size: 50 } });
  useEffect(() => on("clarification", (told) => told.contest_id === contest.id && asked.reload()), [contest.id]);
  const open = staff && place.value.query.get("open") === "1";
  const items = (asked.data?.items ?? []).filter((each) => !open || (each.asked_by !== null && each.answer === null));
  const nameOf = useNames(staff ? items.map((each) => each.asked_by) : []);
  const label = (id: string | null): string => contest.problems.find((each) => each.problem_id === id)?.label ?? t("clarify.general");
  return (
    <>
      {staff && <Ask detail={detail} broadcast done={asked.reload} />}
      {!staff && participant && !isOver(contest.phase) && <Ask detail={detail} done={asked.reload} />}
      {!staff && !participant && <p class="muted">{t("clarify.only_participants")}</p>}
      {staff && <Checkbox label={t("clarify.unanswered")} checked={open} change={(on) => setQuery({ open: on ? "1" : null })} />}
      {asked.error && !asked.data && <Failure of={asked.error} retry={asked.reload} />}
      {!asked.data && !asked.error && <Loading />}
      {asked.data && items.length === 0 && <Empty title={open ? t("clarify.all_answered") : t("clarify.none")} />}
      <ul class="clarifications">
        {items.map((each) => (
          <li key={each.id} class="panel">
            <Thread of={each} problem={label(each.problem_id)} asker={staff && each.asked_by ? nameOf(each.asked_by) : null} />
            {staff && each.asked_by !== null && <Reply contestId={contest.id} to={each} done={asked.reload} />}
          </li>
        ))}
      </ul>
      <Pagination next={asked.data?.page.next_cursor} />
    </>
  );
}

function Thread({ of, problem, asker }: { of: Clarification; problem: string; asker: string | null }) {
  return (
    <>
      <p class="row small muted">
        {of.asked_by === null && <Icon name="horn" />}
        <strong>{t(of.asked_by === null ? "clarify.announcement" : "clarify.question")}</strong>
        <span class="tag">{problem}</span>
        {asker && <span>{asker}</span>}
        <Ago at={of.asked_at} />
        {of.asked_by !== null && of.answer !== null && <span>{of.public ? t("clarify.to_all") : t("clarify.to_one")}</span>}
      </p>
      <p class="clarification-text">{of.text}</p>
      {of.asked_by !== null &&
        (of.answer === null ? (
          <p class="small muted">… {t("clarify.waiting")}</p>
        ) : (
          <blockquote class="clarification-text">
            <strong>{t("clarify.answer")}:</strong> {of.answer}
          </blockquote>
        ))}
    </>
  );
}

/** Ask, or tell all. What is typed is kept until it is sent. */
function Ask({ detail, broadcast = false, done }: { detail: ContestDetail; broadcast?: boolean; done: () => void }) {
  const { contest } = detail;
  const key = `question.${contest.id}`;
  const [text, setText] = useState(() => recall<string>(key, ""));
  const [problem, setProblem] = useState("");
  const change = (value: string): void => {
    setText(value);
    remember(key, value || null);
  };
  const send = useAction(async () => {
    const body = { text, ...(problem ? { problem_id: problem } : {}) };
    const path = { contest_id: contest.id };
    if (broadcast) await call("POST /api/contests/{contest_id}/broadcasts", { path, body });
    else await call("POST /api/contests/{contest_id}/clarifications", { path, body });
    change("");
    done();
  });
  return (
    <form
      class="form stack panel"
      onSubmit={(event) => {
        event.preventDefault();
        void send.run();
      }}
    >
      <h2>{broadcast ? t("clarify.tell_all") : t("clarify.ask")}</h2>
      <Select label={t("clarify.about")} value={problem} change={setProblem} options={[{ value: "", text: t("clarify.general") }, ...contest.problems.map((each) => ({ value: each.problem_id, text: `${each.label}. ${titleOf(each)}` }))]} />
      <TextArea label={t("clarify.text")} hint={broadcast ? t("clarify.broadcast_hint") : t("clarify.ask_hint")} value={text} change={change} required maxLength={LONGEST} rows={3} />
      {send.error && <Failure of={send.error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={send.busy || !text.trim()}>{broadcast ? t("clarify.tell_all") : t("clarify.send")}</button>
      </p>
    </form>
  );
}

const CANNED = "canned";
const MOST_CANNED = 20;

/** An answer to one question; answers that are given often are kept in this browser. */
function Reply({ contestId, to, done }: { contestId: string; to: Clarification; done: () => void }) {
  const [open, setOpen] = useState(to.answer === null);
  const [text, setText] = useState(to.answer ?? "");
  const [all, setAll] = useState(to.public);
  const [canned, setCanned] = useState(() => recall<string[]>(CANNED, []));
  const own = [t("clarify.canned_read"), t("clarify.canned_no"), ...canned];
  const keep = (answers: string[]): void => {
    setCanned(answers);
    remember(CANNED, answers);
  };
  const send = useAction(async () => {
    await call("PUT /api/contests/{contest_id}/clarifications/{clarification_id}/answer", { path: { contest_id: contestId, clarification_id: to.id }, body: { answer: text, public: all } });
    setOpen(false);
    done();
  });
  if (!open) {
    return (
      <p class="actions">
        <button type="button" onClick={() => setOpen(true)}>{to.answer === null ? t("clarify.answer") : t("clarify.change_answer")}</button>
      </p>
    );
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send.run();
      }}
    >
      <Select label={t("clarify.canned")} value="" change={setText} options={[{ value: "", text: t("clarify.canned_choose") }, ...own.map((each) => ({ value: each, text: each.slice(0, 80) }))]} />
      <TextArea label={t("clarify.answer")} value={text} change={setText} required maxLength={LONGEST} rows={2} />
      <Checkbox label={t("clarify.answer_all")} checked={all} change={setAll} />
      {send.error && <Failure of={send.error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={send.busy || !text.trim()}>{t("clarify.send")}</button>
        {canned.includes(text) ? (
          <button type="button" class="quiet" onClick={() => keep(canned.filter((each) => each !== text))}>{t("clarify.canned_forget")}</button>
        ) : (
          <button type="button" class="quiet" disabled={!text.trim() || own.includes(text)} onClick={() => keep([...canned, text].slice(-MOST_CANNED))}>{t("clarify.canned_keep")}</button>
        )}
      </p>
    </form>
  );
}
