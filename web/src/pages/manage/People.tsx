import { useState } from "preact/hooks";
import { PasswordSheet } from "../../account/PasswordSheet";
import { call } from "../../api/call";
import type { Contest, ImportedParticipants, ImportedUsers, Participant, ParticipantEdit, ParticipantKind } from "../../api/schema";
import { SearchBox } from "../../contest/SearchBox";
import { find, t, type Key } from "../../i18n";
import { place } from "../../router";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { TextArea } from "../../ui/Field";
import { Loading } from "../../ui/Loading";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Table, type Column } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { useAction, useCall } from "../../use";

const KINDS: readonly ParticipantKind[] = ["official", "unofficial", "hidden"];

/** Who takes part, and how more of them come in. */
export function People({ contest }: { contest: Contest }) {
  const search = place.value.query.get("search") ?? "";
  const asked = useCall("GET /api/contests/{contest_id}/participants", { path: { contest_id: contest.id }, query: { ...(search ? { search } : {}), cursor: presentCursor(), size: 50 } });
  const edit = useAction(async (user: string, body: ParticipantEdit) => {
    await call("PATCH /api/contests/{contest_id}/participants/{user_id}", { path: { contest_id: contest.id, user_id: user }, body });
    asked.reload();
  });
  const remove = useAction(async (user: string) => {
    await call("DELETE /api/contests/{contest_id}/participants/{user_id}", { path: { contest_id: contest.id, user_id: user } });
    asked.reload();
  });
  const timed = contest.format === "icpc" || contest.format === "atcoder";
  const columns: Column<Participant>[] = [
    { title: t("board.name"), kind: "wide", cell: (row) => row.display_name },
    {
      title: t("people.kind"),
      kind: "narrow",
      cell: (row) =>
        row.kind === "virtual" ? (
          t("entrant.virtual")
        ) : (
          <select aria-label={`${t("people.kind")}: ${row.display_name}`} value={row.kind} disabled={edit.busy} onChange={(event) => void edit.run(row.user_id, { kind: event.currentTarget.value as ParticipantKind })}>
            {KINDS.map((each) => (
              <option key={each} value={each}>{t(`entrant.${each}` as Key)}</option>
            ))}
          </select>
        ),
    },
    ...(timed ? [{ title: t("people.penalty"), kind: "number" as const, cell: (row: Participant) => <input class="short" type="number" aria-label={`${t("people.penalty")}: ${row.display_name}`} value={row.penalty_adjustment_minutes} onChange={(event) => void edit.run(row.user_id, { penalty_adjustment_minutes: Number(event.currentTarget.value) })} /> }] : []),
    { title: t("people.since"), kind: "narrow", cell: (row) => <Ago at={row.signed_up_at} /> },
    { title: t("nav.submissions"), kind: "narrow", cell: (row) => <a href={`/contests/${contest.id}/submissions?user=${row.user_id}`} aria-label={`${t("nav.submissions")}: ${row.display_name}`}>{t("nav.submissions")}</a> },
    { title: <span class="visually-hidden">{t("people.remove")}</span>, kind: "narrow", cell: (row) => <button type="button" class="quiet" onClick={() => confirm(t("people.remove_confirm", { name: row.display_name })) && void remove.run(row.user_id)}>{t("people.remove")}</button> },
  ];
  return (
    <>
      <search class="filters"><SearchBox label={t("board.find")} /></search>
      {(edit.error ?? remove.error) && <Failure of={edit.error ?? remove.error} />}
      {asked.error && !asked.data && <Failure of={asked.error} retry={asked.reload} />}
      {!asked.data && !asked.error && <Loading />}
      {asked.data?.items.length === 0 && <Empty title={search ? t("contests.none_found") : t("people.none")} />}
      {asked.data && asked.data.items.length > 0 && <Table caption={t("manage.people")} columns={columns} rows={asked.data.items} rowKey={(row) => row.user_id} />}
      <Pagination next={asked.data?.page.next_cursor} />
      <Names contest={contest} done={asked.reload} />
      <Accounts contest={contest} done={asked.reload} />
    </>
  );
}

const why = (reason: string | null | undefined): string => (reason ? (find(`reason.${reason}`) ?? reason) : "");

/** Sign up accounts that exist, by their names. */
function Names({ contest, done }: { contest: Contest; done: () => void }) {
  const [text, setText] = useState("");
  const [made, setMade] = useState<ImportedParticipants | null>(null);
  const names = text.split(/[\s,;]+/).filter(Boolean);
  const enrol = useAction(async () => {
    setMade(await call("POST /api/contests/{contest_id}/participants/import", { path: { contest_id: contest.id }, body: { names } }));
    done();
  });
  return (
    <details class="panel">
      <summary>{t("people.by_name")}</summary>
      <TextArea label={t("people.names")} hint={t("people.names_hint")} value={text} change={setText} rows={4} spellcheck={false} />
      {enrol.error && <Failure of={enrol.error} />}
      <p class="actions">
        <button type="button" class="primary" disabled={enrol.busy || names.length === 0 || names.length > 1000} onClick={() => void enrol.run()}>{t("people.enrol", { n: names.length })}</button>
      </p>
      {made && <p role="status">{t("people.enrolled", { enrolled: made.enrolled, refused: made.refused })}</p>}
      {made && made.refused > 0 && (
        <ul>
          {made.items.filter((each) => each.refused).map((each) => (
            <li key={each.name}><code>{each.name}</code>: {each.user_id ? why(each.refused) : t("people.nobody")}</li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** Make accounts from a list, tried first without doing anything; then a sheet of passwords to print. */
function Accounts({ contest, done }: { contest: Contest; done: () => void }) {
  const [csv, setCsv] = useState("name,display_name,email,password\n");
  const [tried, setTried] = useState<{ of: string; answer: ImportedUsers } | null>(null);
  const [made, setMade] = useState<ImportedUsers | null>(null);
  const send = useAction(async (dry: boolean) => {
    const answer = await call("POST /api/users/import", { body: { csv, dry_run: dry, contest_id: contest.id } });
    if (dry) setTried({ of: csv, answer });
    else {
      setMade(answer);
      setTried(null);
      done();
    }
  });
  const shown = made ?? tried?.answer;
  return (
    <details class="panel">
      <summary>{t("people.by_list")}</summary>
      <label class="row">
        {t("people.file")}
        <input type="file" accept=".csv,text/csv,text/plain" onChange={(event) => void event.currentTarget.files?.[0]?.text().then(setCsv)} />
      </label>
      <TextArea label="CSV" hint={t("people.csv_hint")} value={csv} change={setCsv} rows={6} spellcheck={false} />
      {send.error && <Failure of={send.error} />}
      <p class="actions">
        <button type="button" disabled={send.busy} onClick={() => void send.run(true)}>{t("people.try")}</button>
        <button type="button" class="primary" disabled={send.busy || tried?.of !== csv} onClick={() => void send.run(false)}>{t("people.make")}</button>
      </p>
      {shown && <p role="status">{t(made ? "people.made" : "people.would", { created: shown.created, refused: shown.refused })}</p>}
      {shown && (
        <Table
          caption={t("people.by_list")}
          rows={shown.items}
          rowKey={(row) => row.line}
          columns={[
            { title: t("diff.line"), kind: "number", cell: (row) => row.line },
            { title: t("account.name"), cell: (row) => row.name },
            { title: t("board.name"), kind: "wide", cell: (row) => row.display_name },
            { title: t("people.outcome"), kind: "narrow", cell: (row) => `${row.outcome === "refused" ? "✗" : "✓"} ${t(`outcome.${row.outcome}` as Key)}` },
            { title: t("effect_on.why"), cell: (row) => why(row.reason) },
          ]}
        />
      )}
      {made && <PasswordSheet of={made} title={contest.title} />}
    </details>
  );
}
