import { me } from "../../api/session";
import type { ContestSummary, Phase } from "../../api/schema";
import { SearchBox } from "../../contest/SearchBox";
import { lengthText, PhaseWords } from "../../contest/words";
import { t, type Key } from "../../i18n";
import { place, setQuery } from "../../router";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Table } from "../../ui/Table";
import { At } from "../../ui/Time";
import { useCall } from "../../use";

/** What runs, what comes, and what is over. */
export default function Contests() {
  const search = place.value.query.get("search") ?? "";
  const mine = place.value.query.get("mine") === "1" && Boolean(me.value);
  const plans = ["setter", "judge", "admin"].includes(me.value?.role ?? "");
  return (
    <Page title={t("nav.contests")} tab={t("nav.contests")} aside={plans && <a class="button" href="/contests/new">{t("contests.new")}</a>}>
      <search class="filters">
        <SearchBox label={t("contests.search")} />
        {me.value && (
          <label>
            <span class="visually-hidden">{t("contests.whose")}</span>
            <select value={mine ? "1" : ""} onChange={(event) => setQuery({ mine: event.currentTarget.value || null, cursor: null })}>
              <option value="">{t("contests.all")}</option>
              <option value="1">{t("contests.mine")}</option>
            </select>
          </label>
        )}
      </search>
      <Section name="running" phases={["running", "frozen"]} search={search} mine={mine} />
      <Section name="coming" phases={["before"]} search={search} mine={mine} />
      <Section name="past" phases={["ended", "finalized"]} search={search} mine={mine} paged />
    </Page>
  );
}

function Section({ name, phases, search, mine, paged = false }: { name: "running" | "coming" | "past"; phases: Phase[]; search: string; mine: boolean; paged?: boolean }) {
  const query = { phase: phases, ...(search ? { search } : {}), ...(mine ? { mine } : {}), ...(paged ? { cursor: presentCursor(), size: 30 } : { size: 50 }) };
  const { data, error, reload } = useCall("GET /api/contests", { query });
  const title = t(`contests.${name}` as Key);
  return (
    <section class="stack" aria-labelledby={`contests-${name}`}>
      <h2 id={`contests-${name}`}>{title}</h2>
      {error && !data && <Failure of={error} retry={reload} />}
      {!data && !error && <Loading />}
      {data?.items.length === 0 && (search || mine ? <p class="muted">{t("contests.none_found")}</p> : name === "past" ? <Empty title={t("contests.none_past")} /> : <p class="muted">{t(`contests.none_${name}` as Key)}</p>)}
      {data && data.items.length > 0 && (name === "past" ? <Past rows={data.items} /> : <Cards rows={data.items} />)}
      {paged && <Pagination next={data?.page.next_cursor} />}
    </section>
  );
}

function Cards({ rows }: { rows: readonly ContestSummary[] }) {
  return (
    <ul class="cards">
      {rows.map((each) => (
        <li key={each.id} class="card contest-card">
          <a href={`/contests/${each.id}`}>{each.title}</a>
          <PhaseWords contest={each} />
          <span class="muted small row">
            <At at={each.schedule.starts_at} />
            <span>{lengthText(Date.parse(each.schedule.ends_at) - Date.parse(each.schedule.starts_at))}</span>
            <span>{t(`format.${each.format}` as Key)}</span>
            <span>{t("contests.people", { n: each.participants })}</span>
            {each.entry.private && <span class="tag">{t("contests.private")}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Past({ rows }: { rows: readonly ContestSummary[] }) {
  return (
    <Table
      caption={t("contests.past")}
      rows={rows}
      rowKey={(row) => row.id}
      columns={[
        { title: t("contests.title"), kind: "wide", cell: (row) => <a href={`/contests/${row.id}`}>{row.title}</a> },
        { title: t("schedule.starts"), kind: "narrow", cell: (row) => <At at={row.schedule.starts_at} /> },
        { title: t("schedule.length"), kind: "narrow", cell: (row) => lengthText(Date.parse(row.schedule.ends_at) - Date.parse(row.schedule.starts_at)) },
        { title: t("contests.format"), kind: "narrow", cell: (row) => t(`format.${row.format}` as Key) },
        { title: t("contests.takes_part"), kind: "number", cell: (row) => row.participants },
        { title: t("contest.board"), kind: "narrow", cell: (row) => <a href={`/contests/${row.id}/board`} aria-label={`${t("contest.board")}: ${row.title}`}>{t("contest.board")}</a> },
      ]}
    />
  );
}
