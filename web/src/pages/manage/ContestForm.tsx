import { useState } from "preact/hooks";
import type { Contest, ContestDraft, Format, FormatOptions, PenaltyRounding } from "../../api/schema";
import type { Refusal } from "../../api/refusal";
import { lengthText } from "../../contest/words";
import { t, type Key } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { Checkbox, errorOf, Select, TextArea, TextField } from "../../ui/Field";
import { asLocal, fromLocal } from "./moments";
import { PeoplePicker } from "./PeoplePicker";
import { ProblemPicker, type Picked } from "./ProblemPicker";

const FORMATS: readonly Format[] = ["icpc", "ioi", "oi", "atcoder", "codeforces"];
const ENTRY = ["private", "during_contest", "virtual_allowed", "cancel_during_contest"] as const;
const HOUR_MS = 3_600_000;

function tomorrow(hours: number): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  day.setHours(9, 0, 0, 0);
  return asLocal(new Date(day.getTime() + hours * HOUR_MS).toISOString());
}

/** All that a contest is planned with. */
export function ContestForm({ contest, save, busy, error, button }: { contest?: Contest; save: (draft: ContestDraft) => void; busy: boolean; error: Refusal | null; button: string }) {
  const [title, setTitle] = useState(contest?.title ?? "");
  const [description, setDescription] = useState(contest?.description ?? "");
  const [format, setFormat] = useState<Format>(contest?.format ?? "icpc");
  const [options, setOptions] = useState<FormatOptions>(contest?.options ?? {});
  const [starts, setStarts] = useState(contest ? asLocal(contest.schedule.starts_at) : tomorrow(0));
  const [ends, setEnds] = useState(contest ? asLocal(contest.schedule.ends_at) : tomorrow(5));
  const [freezes, setFreezes] = useState(contest ? asLocal(contest.schedule.freezes_at) : "");
  const [problems, setProblems] = useState<Picked[]>(() => (contest?.problems ?? []).map((each) => ({ ...each, title: each.title ?? "" })));
  const [entry, setEntry] = useState<Record<(typeof ENTRY)[number], boolean>>({ private: contest?.entry.private ?? false, during_contest: contest?.entry.during_contest ?? true, virtual_allowed: contest?.entry.virtual_allowed ?? false, cancel_during_contest: contest?.entry.cancel_during_contest ?? false });
  const [password, setPassword] = useState("");
  const [admins, setAdmins] = useState(contest?.admin_ids ?? []);
  const [judges, setJudges] = useState(contest?.judge_ids ?? []);
  const [invited, setInvited] = useState(contest?.invited_ids ?? []);
  const length = Date.parse(ends) - Date.parse(starts);
  // What nobody touched goes back as it came: an input shows no seconds.
  const moment = (typed: string, was: string | null | undefined): string => (was && asLocal(was) === typed ? was : fromLocal(typed));
  const number = (name: "penalty_minutes" | "decay_minutes" | "wrong_try_points" | "floor_percent", usual: number) => (
    <TextField type="number" min="0" label={t(`plan.${name}` as Key)} hint={t("plan.usual", { n: usual })} value={options[name] == null ? "" : String(options[name])} change={(value) => setOptions({ ...options, [name]: value === "" ? null : Number(value) })} />
  );
  const submit = (event: Event): void => {
    event.preventDefault();
    const was = contest?.schedule;
    save({
      title,
      description,
      format,
      options,
      schedule: { starts_at: moment(starts, was?.starts_at), ends_at: moment(ends, was?.ends_at), freezes_at: freezes ? moment(freezes, was?.freezes_at) : null, removed: was?.removed ?? [] },
      problems: problems.map(({ problem_id, label, points, colour }) => ({ problem_id, label, points, colour })),
      entry,
      password,
      admin_ids: admins,
      judge_ids: judges,
      invited_ids: invited,
    });
  };
  return (
    <form class="form-wide stack" onSubmit={submit}>
      <TextField label={t("contests.title")} value={title} change={setTitle} required maxLength={200} error={errorOf(error, "title")} />
      <TextArea label={t("plan.description")} value={description} change={setDescription} maxLength={50_000} rows={4} />
      <div class="columns">
        <Select label={t("contests.format")} hint={t(`format.${format}_text` as Key)} value={format} change={(value) => setFormat(value as Format)} options={FORMATS.map((each) => ({ value: each, text: t(`format.${each}` as Key) }))} />
        {(format === "icpc" || format === "atcoder") && number("penalty_minutes", format === "icpc" ? 20 : 5)}
        {format === "icpc" && <Select label={t("plan.rounding")} value={options.rounding ?? "per_submission"} change={(value) => setOptions({ ...options, rounding: value as PenaltyRounding })} options={(["per_submission", "on_the_sum"] as const).map((each) => ({ value: each, text: t(`rounding.${each}` as Key) }))} />}
        {format === "codeforces" && number("decay_minutes", 250)}
        {format === "codeforces" && number("wrong_try_points", 50)}
        {format === "codeforces" && number("floor_percent", 30)}
      </div>
      <div class="columns">
        <TextField type="datetime-local" label={t("schedule.starts")} hint={Intl.DateTimeFormat().resolvedOptions().timeZone} value={starts} change={setStarts} required />
        <TextField type="datetime-local" label={t("schedule.ends")} hint={length > 0 ? lengthText(length) : t("plan.ends_before")} value={ends} change={setEnds} required />
        <TextField type="datetime-local" label={t("schedule.freezes")} hint={t("plan.freeze_hint")} value={freezes} change={setFreezes} />
      </div>
      <ProblemPicker picked={problems} change={setProblems} />
      <fieldset>
        <legend>{t("plan.entry")}</legend>
        {ENTRY.map((name) => (
          <Checkbox key={name} label={t(`plan.${name}` as Key)} checked={entry[name]} change={(on) => setEntry({ ...entry, [name]: on })} />
        ))}
      </fieldset>
      <TextField type="password" autoComplete="new-password" label={t("entry.password")} hint={contest?.entry.has_password ? t("plan.password_kept") : t("plan.password_none")} value={password} change={setPassword} maxLength={200} />
      <PeoplePicker label={t("plan.admins")} ids={admins} change={setAdmins} />
      <PeoplePicker label={t("plan.judges")} ids={judges} change={setJudges} />
      {entry.private && <PeoplePicker label={t("plan.invited")} ids={invited} change={setInvited} />}
      {error && <Failure of={error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={busy || !(length > 0)}>{button}</button>
      </p>
    </form>
  );
}
