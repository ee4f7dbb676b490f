import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { signedIn } from "../account/signIn";
import { call } from "../api/call";
import { me } from "../api/session";
import type { ContestDetail } from "../api/schema";
import { t, type Key } from "../i18n";
import { Failure } from "../ui/Failure";
import { TextField } from "../ui/Field";
import { At, Countdown } from "../ui/Time";
import { useAction } from "../use";
import { isOver } from "./words";

/** One's part in a contest: sign up, start a virtual run, cancel, or why none of it is possible. */
export function TakePart({ detail, changed }: { detail: ContestDetail; changed: () => void }) {
  const { contest, participant } = detail;
  const over = isOver(contest.phase);
  const open = contest.phase === "before" || contest.entry.during_contest;
  if (participant) return <Part detail={detail} changed={changed} />;
  if (over && !contest.entry.virtual_allowed) return <p class="muted">{t("entry.over")}</p>;
  if (!over && !open) return <p class="muted">{t("entry.closed")}</p>;
  return <SignUp detail={detail} virtual={over} changed={changed} />;
}

function SignUp({ detail, virtual, changed }: { detail: ContestDetail; virtual: boolean; changed: () => void }) {
  const { contest } = detail;
  return (
    <Entry contestId={contest.id} virtual={virtual} password={contest.entry.has_password ? (detail.staff ? "optional" : "required") : "none"} changed={changed}>
      <h2>{virtual ? t("entry.virtual") : t("entry.sign_up")}</h2>
      {virtual && <p>{t("entry.virtual_text")}</p>}
    </Entry>
  );
}

/** Where there is no contest, or a private one that the reader must not know of: its password opens it. */
export function Knock({ contestId, changed }: { contestId: string; changed: () => void }) {
  return (
    <Entry contestId={contestId} virtual={false} password="required" changed={changed}>
      <h1>{t("entry.private")}</h1>
      <p>{t("entry.private_text")}</p>
    </Entry>
  );
}

interface EntryProps {
  contestId: string;
  virtual: boolean;
  password: "none" | "optional" | "required";
  changed: () => void;
  children: ComponentChildren;
}

function Entry({ contestId, virtual, password: asked, changed, children }: EntryProps) {
  const [name, setName] = useState<string | null>(null);
  const [password, setPassword] = useState("");
  const shown = name ?? me.value?.display_name ?? me.value?.name ?? "";
  const join = useAction(async () => {
    const display_name = shown || me.peek()?.display_name || me.peek()?.name || "";
    await call("POST /api/contests/{contest_id}/participants", { path: { contest_id: contestId }, body: { display_name, virtual, ...(password ? { password } : {}) } });
    changed();
  });
  return (
    <form
      class="form stack panel"
      onSubmit={(event) => {
        event.preventDefault();
        signedIn(() => void join.run());
      }}
    >
      {children}
      {me.value && <TextField label={t("entry.shown_name")} value={shown} change={setName} required maxLength={100} />}
      {asked !== "none" && <TextField type="password" label={t("entry.password")} hint={t("entry.password_hint")} value={password} change={setPassword} required={asked === "required"} maxLength={200} autoComplete="off" />}
      {join.error && <Failure of={join.error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={join.busy}>
          {virtual ? t("entry.start_now") : t("entry.sign_up")}
        </button>
      </p>
    </form>
  );
}

function Part({ detail, changed }: { detail: ContestDetail; changed: () => void }) {
  const { contest, participant } = detail;
  const leave = useAction(async () => {
    await call("DELETE /api/contests/{contest_id}/participants/me", { path: { contest_id: contest.id } });
    changed();
  });
  if (!participant) return null;
  const start = participant.virtual_start;
  const length = Date.parse(contest.schedule.ends_at) - Date.parse(contest.schedule.starts_at);
  const end = start ? new Date(Date.parse(start) + length).toISOString() : null;
  const may = contest.phase === "before" || (contest.entry.cancel_during_contest && !isOver(contest.phase));
  return (
    <section class="panel" aria-label={t("entry.part")}>
      <p>
        {t("entry.takes_part", { name: participant.display_name })} <span class="tag">{t(`entrant.${participant.kind}` as Key)}</span>
      </p>
      {start && (
        <p>
          {t("entry.virtual_since")} <At at={start} />. {end && Date.parse(end) > Date.now() && <>{t("home.ends_in")} <Countdown to={end} /></>}
        </p>
      )}
      {participant.penalty_adjustment_minutes !== 0 && <p>{t("entry.adjusted", { n: participant.penalty_adjustment_minutes })}</p>}
      {leave.error && <Failure of={leave.error} />}
      {may && (
        <p class="actions">
          <button type="button" disabled={leave.busy} onClick={() => confirm(t("entry.cancel_confirm")) && void leave.run()}>
            {t("entry.cancel")}
          </button>
        </p>
      )}
    </section>
  );
}
