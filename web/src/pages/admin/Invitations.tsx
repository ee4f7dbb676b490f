import { useState } from "preact/hooks";
import { call } from "../../api/call";
import { t } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Copy } from "../../ui/Copy";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { TextField } from "../../ui/Field";
import { Table } from "../../ui/Table";
import { At } from "../../ui/Time";
import { site } from "../../site";
import { useAction, useCall } from "../../use";

/** Codes by which strangers may open an account. */
export function Invitations() {
  const invitations = useCall("GET /api/admin/invitations", {});
  const withdraw = useAction(async (id: string) => {
    await call("DELETE /api/admin/invitations/{invitation_id}", { path: { invitation_id: id } });
    invitations.reload();
  });
  return (
    <>
      {site.value && site.value.registration !== "invitation" && <p class="muted">{t("invitations.not_needed")}</p>}
      <Answered of={invitations}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={t("invitations.none")} />
          ) : (
            <Table
              caption={t("admin.invitations")}
              rows={data.items}
              rowKey={(row) => row.id}
              columns={[
                { title: t("account.invitation"), kind: "narrow", cell: (row) => <span class="row"><code>{row.code}</code><Copy text={row.code} bare /></span> },
                { title: t("invitations.note"), kind: "wide", cell: (row) => row.note },
                { title: t("invitations.left"), kind: "number", cell: (row) => row.uses_left },
                { title: t("invitations.until"), kind: "narrow", cell: (row) => (row.expires_at ? <At at={row.expires_at} /> : <span class="muted">{t("invitations.forever")}</span>) },
                { title: <span class="visually-hidden">{t("invitations.withdraw")}</span>, kind: "narrow", cell: (row) => <button type="button" class="quiet" disabled={withdraw.busy} onClick={() => void withdraw.run(row.id)}>{t("invitations.withdraw")}</button> },
              ]}
            />
          )
        }
      </Answered>
      {withdraw.error && <Failure of={withdraw.error} />}
      <NewInvitation made={invitations.reload} />
    </>
  );
}

function NewInvitation({ made }: { made: () => void }) {
  const [uses, setUses] = useState("1");
  const [until, setUntil] = useState("");
  const [note, setNote] = useState("");
  const create = useAction(async () => {
    await call("POST /api/admin/invitations", { body: { uses: Number(uses), note, expires_at: until ? new Date(until).toISOString() : null } });
    setNote("");
    made();
  });
  return (
    <form
      class="form stack panel"
      onSubmit={(event) => {
        event.preventDefault();
        void create.run();
      }}
    >
      <h2>{t("invitations.new")}</h2>
      <TextField label={t("invitations.uses")} type="number" min="1" max="100000" value={uses} change={setUses} required />
      <TextField label={t("invitations.until")} hint={t("invitations.until_hint")} type="datetime-local" value={until} change={setUntil} />
      <TextField label={t("invitations.note")} value={note} change={setNote} maxLength={200} />
      {create.error && <Failure of={create.error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={create.busy}>
          {t("invitations.make")}
        </button>
      </p>
    </form>
  );
}
