import { useState } from "preact/hooks";
import { call } from "../../api/call";
import type { CreatedApiToken, TokenScope } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Copy } from "../../ui/Copy";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Checkbox, TextField } from "../../ui/Field";
import { Loading } from "../../ui/Loading";
import { Table } from "../../ui/Table";
import { Ago, At } from "../../ui/Time";
import { useAction, useCall } from "../../use";

const SCOPES: readonly TokenScope[] = ["read", "submit", "manage", "admin"];

/** Tokens for programs. A secret is shown once. */
export function Tokens() {
  const tokens = useCall("GET /api/users/me/tokens", {});
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<TokenScope[]>(["read", "submit"]);
  const [made, setMade] = useState<CreatedApiToken | null>(null);
  const create = useAction(async () => {
    setMade(await call("POST /api/users/me/tokens", { body: { name, scopes } }));
    setName("");
    tokens.reload();
  });
  const revoke = useAction(async (id: string) => {
    await call("DELETE /api/users/me/tokens/{token_id}", { path: { token_id: id } });
    tokens.reload();
  });
  return (
    <div class="stack">
      {made && (
        <div class="panel" role="status">
          <p>{t("tokens.once")}</p>
          <p class="row">
            <code class="command">{made.secret}</code> <Copy text={made.secret} />
          </p>
        </div>
      )}
      {tokens.error && !tokens.data && <Failure of={tokens.error} retry={tokens.reload} />}
      {!tokens.data && !tokens.error && <Loading />}
      {tokens.data?.items.length === 0 && <Empty title={t("tokens.none")} />}
      {tokens.data && tokens.data.items.length > 0 && (
        <Table
          caption={t("settings.tokens")}
          rows={tokens.data.items}
          rowKey={(row) => row.id}
          columns={[
            { title: t("tokens.name"), kind: "wide", cell: (row) => row.name },
            { title: t("tokens.scopes"), cell: (row) => row.scopes.join(", ") },
            { title: t("security.since"), kind: "narrow", cell: (row) => <At at={row.created_at} /> },
            { title: t("security.used"), kind: "narrow", cell: (row) => (row.last_used_at ? <Ago at={row.last_used_at} /> : <span class="muted">{t("tokens.never")}</span>) },
            { title: <span class="visually-hidden">{t("action.delete")}</span>, kind: "narrow", cell: (row) => <button type="button" class="quiet" disabled={revoke.busy} onClick={() => void revoke.run(row.id)}>{t("action.delete")}</button> },
          ]}
        />
      )}
      {revoke.error && <Failure of={revoke.error} />}
      <form
        class="form stack panel"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <h2>{t("tokens.new")}</h2>
        <TextField label={t("tokens.name")} value={name} change={setName} required maxLength={100} placeholder={t("tokens.placeholder")} />
        <fieldset>
          <legend>{t("tokens.scopes")}</legend>
          {SCOPES.map((each) => (
            <Checkbox key={each} label={t(`scope.${each}` as Key)} checked={scopes.includes(each)} change={(on) => setScopes(on ? [...scopes, each] : scopes.filter((other) => other !== each))} />
          ))}
        </fieldset>
        {create.error && <Failure of={create.error} />}
        <p class="actions">
          <button type="submit" class="primary" disabled={create.busy || scopes.length === 0}>
            {t("tokens.create")}
          </button>
        </p>
      </form>
    </div>
  );
}
