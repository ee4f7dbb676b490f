import { useEffect, useState } from "preact/hooks";
import type { AccountStatus, GrantedRole, PageInfo, User } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { place, setQuery } from "../../router";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Person } from "../../ui/Person";
import { Table } from "../../ui/Table";
import { At } from "../../ui/Time";
import { useCall, type Asked } from "../../use";
import { NewUser } from "./NewUser";
import { UserDialog } from "./UserDialog";
import { UserImport } from "./UserImport";

export const ROLES: readonly GrantedRole[] = ["contestant", "setter", "judge", "admin"];
const STATUSES: readonly AccountStatus[] = ["active", "suspended", "deleted"];

const chosen = (name: string): string => place.value.query.get(name) ?? "";

/** Find an account and change it; make one, or many from a list. */
export function Users() {
  const query = { search: chosen("search"), role: ROLES.find((each) => each === chosen("role")), status: STATUSES.find((each) => each === chosen("status")), cursor: presentCursor(), size: 50 };
  // For admins the answer has whole accounts; others never get this far.
  const users = useCall("GET /api/users", { query }) as unknown as Asked<{ items: User[]; page: PageInfo }>;
  const [opened, open] = useState<User | null>(null);
  return (
    <>
      <Filters />
      <Answered of={users}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={t("users.none")} />
          ) : (
            <Table
              caption={t("admin.users")}
              rows={data.items}
              rowKey={(row) => row.id}
              columns={[
                { title: t("account.name"), kind: "wide", cell: (row) => <><Person name={row.name} />{row.status !== "deleted" && row.display_name && row.display_name !== row.name && <span class="muted"> {row.display_name}</span>}</> },
                { title: t("account.email"), cell: (row) => row.email ?? <span class="muted">—</span> },
                { title: t("users.role"), kind: "narrow", cell: (row) => t(`role.${row.role}` as Key) },
                { title: t("users.status"), kind: "narrow", cell: (row) => t(`account.${row.status}` as Key) },
                { title: t("user.since"), kind: "narrow", cell: (row) => <At at={row.created_at} /> },
                { title: <span class="visually-hidden">{t("users.manage")}</span>, kind: "narrow", cell: (row) => row.status !== "deleted" && <button type="button" aria-label={t("users.manage_one", { name: row.name })} onClick={() => open(row)}>{t("users.manage")}</button> },
              ]}
            />
          )
        }
      </Answered>
      <Pagination next={users.data?.page.next_cursor} />
      <UserDialog user={opened} close={() => open(null)} changed={users.reload} />
      <NewUser made={users.reload} />
      <UserImport made={users.reload} />
    </>
  );
}

function Filters() {
  const [typed, type] = useState(chosen("search"));
  useEffect(() => {
    const later = setTimeout(() => typed !== (place.peek().query.get("search") ?? "") && setQuery({ search: typed || null, cursor: null }), 250);
    return () => clearTimeout(later);
  }, [typed]);
  const choice = (name: string, label: string, all: string, options: readonly (readonly [string, string])[]) => (
    <label>
      <span class="visually-hidden">{label}</span>
      <select value={chosen(name)} onChange={(event) => setQuery({ [name]: event.currentTarget.value || null, cursor: null })}>
        <option value="">{all}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <search class="filters">
      <label class="grow">
        <span class="visually-hidden">{t("users.search")}</span>
        <input type="search" value={typed} maxLength={100} placeholder={t("users.search")} onInput={(event) => type(event.currentTarget.value)} />
      </label>
      {choice("role", t("users.role"), t("users.any_role"), ROLES.map((each) => [each, t(`role.${each}` as Key)]))}
      {choice("status", t("users.status"), t("users.any_status"), STATUSES.map((each) => [each, t(`account.${each}` as Key)]))}
    </search>
  );
}
