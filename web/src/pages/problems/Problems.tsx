import { useEffect, useState } from "preact/hooks";
import { me } from "../../api/session";
import type { Level, Mine, ProblemSummary, Sort } from "../../api/schema";
import { t, titleOf, type Key } from "../../i18n";
import { place, setQuery } from "../../router";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Icon } from "../../ui/Icon";
import { LevelName } from "../../ui/LevelName";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Table, type Column } from "../../ui/Table";
import { useCall } from "../../use";

const LEVELS: readonly Level[] = ["easy", "medium", "hard"];
const SORTS: readonly Sort[] = ["newest", "oldest", "title", "level", "solved"];
const MINE: readonly Mine[] = ["solved", "tried", "untouched"];

/** What is chosen is in the address. */
const chosen = (name: string): string => place.value.query.get(name) ?? "";
const choose = (name: string, value: string): void => setQuery({ [name]: value || null, cursor: null });

/** What an address says, if it is one of those that exist. */
const oneOf = <T extends string>(known: readonly T[], text: string): T | undefined => known.find((each) => each === text);

export default function Problems() {
  const mine = me.value ? oneOf(MINE, chosen("mine")) : undefined;
  const query = { search: chosen("search"), tag: chosen("tag") ? [chosen("tag")] : [], level: oneOf(LEVELS, chosen("level")), mine, sort: oneOf(SORTS, chosen("sort")), cursor: presentCursor(), size: 50 };
  const { data, error, reload } = useCall("GET /api/problems", { query });
  const narrowed = Boolean(query.search || query.tag.length || query.level || query.mine);
  return (
    <Page title={t("nav.problems")} tab={t("nav.problems")}>
      <Filters />
      {error && !data && <Failure of={error} retry={reload} />}
      {!data && !error && <Loading />}
      {data && data.items.length > 0 && <Table caption={t("nav.problems")} columns={columns()} rows={data.items} rowKey={(row) => row.id} />}
      {data?.items.length === 0 &&
        (narrowed ? (
          <Empty title={t("problems.none_found")}>
            <button type="button" onClick={() => setQuery({ search: null, tag: null, level: null, mine: null, cursor: null })}>
              {t("problems.show_all")}
            </button>
          </Empty>
        ) : (
          <Empty title={t("problems.none")}>
            <p class="muted">{t("problems.none_text")}</p>
          </Empty>
        ))}
      <Pagination next={data?.page.next_cursor} />
    </Page>
  );
}

function columns(): Column<ProblemSummary>[] {
  const mark: Column<ProblemSummary> = { title: <span class="visually-hidden">{t("problems.mine")}</span>, kind: "narrow", cell: (row) => <Mark of={row.mine} /> };
  return [
    ...(me.value ? [mark] : []),
    { title: t("problems.title"), kind: "wide", cell: (row) => <a href={`/problems/${row.slug}`}>{titleOf(row)}</a> },
    {
      title: t("problems.tags"),
      cell: (row) => (
        <span class="tags">
          {row.tags.map((tag) => (
            <a key={tag} class="tag" href={`/problems?tag=${encodeURIComponent(tag)}`}>
              {tag}
            </a>
          ))}
        </span>
      ),
    },
    { title: t("problems.level"), kind: "narrow", cell: (row) => row.level && <LevelName of={row.level} /> },
    { title: t("problems.solved_by"), kind: "number", cell: (row) => (row.attempted ? `${row.accepted ?? 0} / ${row.attempted}` : "") },
  ];
}

function Mark({ of }: { of: ProblemSummary["mine"] }) {
  if (of === "solved") return <span class="verdict-AC" title={t("problems.mine_solved")}><Icon name="check" /><span class="visually-hidden">{t("problems.mine_solved")}</span></span>;
  if (of === "tried") return <span class="verdict-TLE" title={t("problems.mine_tried")}><Icon name="half" /><span class="visually-hidden">{t("problems.mine_tried")}</span></span>;
  return null;
}

function Filters() {
  const tags = useCall("GET /api/problems/tags", {});
  const [typed, type] = useState(chosen("search"));
  useEffect(() => {
    const later = setTimeout(() => typed !== (place.peek().query.get("search") ?? "") && choose("search", typed), 250);
    return () => clearTimeout(later);
  }, [typed]);
  return (
    <search class="filters">
      <label class="grow">
        <span class="visually-hidden">{t("problems.search")}</span>
        <input type="search" value={typed} maxLength={100} placeholder={t("problems.search")} onInput={(event) => type(event.currentTarget.value)} />
      </label>
      <Choice name="level" all={t("problems.any_level")} label={t("problems.level")} options={LEVELS.map((each) => [each, t(`level.${each}` as Key)])} />
      {tags.data && tags.data.items.length > 0 && <Choice name="tag" all={t("problems.any_tag")} label={t("problems.tags")} options={tags.data.items.map((each) => [each.tag, `${each.tag} (${each.count})`])} />}
      {me.value && <Choice name="mine" all={t("problems.any_mine")} label={t("problems.mine")} options={MINE.map((each) => [each, t(`problems.mine_${each}` as Key)])} />}
      <Choice name="sort" all={t("problems.sort_default")} label={t("problems.sort")} options={SORTS.map((each) => [each, t(`problems.sort_${each}` as Key)])} />
    </search>
  );
}

function Choice({ name, label, all, options }: { name: string; label: string; all: string; options: readonly (readonly [string, string])[] }) {
  return (
    <label>
      <span class="visually-hidden">{label}</span>
      <select value={chosen(name)} onChange={(event) => choose(name, event.currentTarget.value)}>
        <option value="">{all}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
