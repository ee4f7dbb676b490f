import { call } from "../../api/call";
import type { User } from "../../api/schema";
import { end } from "../../api/session";
import { find, t } from "../../i18n";
import { go } from "../../router";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Table } from "../../ui/Table";
import { Ago, At } from "../../ui/Time";
import { useAction, useCall } from "../../use";
import { NewPassword } from "./NewPassword";

/** Sessions, the password, and what happened to the account. */
export function Security({ user }: { user: User }) {
  const sessions = useCall("GET /api/users/me/sessions", {});
  const log = useCall("GET /api/users/{user_id}/audit-log", { path: { user_id: user.id }, query: { size: 20 } });
  const close = useAction(async (id: string) => {
    await call("DELETE /api/users/me/sessions/{session_id}", { path: { session_id: id } });
    sessions.reload();
  });
  const closeAll = useAction(async () => {
    await call("POST /api/auth/logout", { body: { everywhere: true } });
    end();
    go("/login");
  });
  return (
    <div class="stack">
      <section class="stack" aria-labelledby="sessions-title">
        <h2 id="sessions-title">{t("security.sessions")}</h2>
        {sessions.error && !sessions.data && <Failure of={sessions.error} retry={sessions.reload} />}
        {!sessions.data && !sessions.error && <Loading />}
        {sessions.data && (
          <Table
            caption={t("security.sessions")}
            rows={sessions.data.items}
            rowKey={(row) => row.id}
            columns={[
              { title: t("security.browser"), kind: "wide", cell: (row) => <span title={row.user_agent}>{browserName(row.user_agent)}</span> },
              { title: t("security.address"), cell: (row) => <code>{row.address}</code> },
              { title: t("security.since"), kind: "narrow", cell: (row) => <At at={row.created_at} /> },
              { title: t("security.used"), kind: "narrow", cell: (row) => <Ago at={row.last_used_at} /> },
              { title: <span class="visually-hidden">{t("security.end")}</span>, kind: "narrow", cell: (row) => (row.current ? <span class="muted">{t("security.this_one")}</span> : <button type="button" class="quiet" disabled={close.busy} onClick={() => void close.run(row.id)}>{t("security.end")}</button>) },
            ]}
          />
        )}
        {close.error && <Failure of={close.error} />}
        {closeAll.error && <Failure of={closeAll.error} />}
        <p class="actions">
          <button type="button" class="danger" disabled={closeAll.busy} onClick={() => void closeAll.run()}>
            {t("security.end_all")}
          </button>
        </p>
      </section>
      <NewPassword />
      <section class="stack" aria-labelledby="log-title">
        <h2 id="log-title">{t("security.log")}</h2>
        {log.data && (
          <Table
            caption={t("security.log")}
            rows={log.data.items}
            rowKey={(row) => row.id}
            columns={[
              { title: t("submission.when"), kind: "narrow", cell: (row) => <At at={row.at} /> },
              { title: t("security.event"), kind: "narrow", cell: (row) => find(`event.${row.event}`) ?? row.event },
              { title: t("security.address"), cell: (row) => <code>{row.origin.address}</code> },
            ]}
          />
        )}
      </section>
    </div>
  );
}

/** "Firefox, Linux": enough to know one's own again. */
function browserName(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari|curl|python|deepoj)/i.exec(agent)?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1];
  return [browser?.replace("Edg", "Edge").replace("OPR", "Opera"), system].filter(Boolean).join(", ") || agent.slice(0, 40) || "—";
}
