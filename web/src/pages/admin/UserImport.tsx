import { useState } from "preact/hooks";
import { PasswordSheet } from "../../account/PasswordSheet";
import { call } from "../../api/call";
import type { ImportedUsers } from "../../api/schema";
import { find, t, type Key } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { TextArea } from "../../ui/Field";
import { Table } from "../../ui/Table";
import { useAction } from "../../use";

const EXAMPLE = "name,display_name,email,password,role\nteam-01,Team One,,,";

interface Outcome extends ImportedUsers {
  csv: string;
  tried: boolean;
}

/** Accounts from a list: tried first, then made, then printed. */
export function UserImport({ made }: { made: () => void }) {
  const [csv, setCsv] = useState("");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const send = useAction(async (tried: boolean) => {
    setOutcome(null);
    setOutcome({ ...(await call("POST /api/users/import", { body: { csv, dry_run: tried } })), csv, tried });
    if (!tried) made();
  });
  const ready = outcome?.tried && outcome.csv === csv && outcome.created > 0;
  return (
    <>
      <details class="panel">
        <summary>{t("import_users.title")}</summary>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void send.run(!ready);
          }}
        >
          <TextArea label={t("import_users.list")} hint={t("import_users.hint")} value={csv} change={setCsv} rows={8} maxLength={1_000_000} placeholder={EXAMPLE} spellcheck={false} required />
          <p>
            <label class="row">
              {t("import_users.file")}
              <input
                type="file"
                accept=".csv,.tsv,.txt,text/csv,text/plain"
                onChange={(event) => {
                  const file = event.currentTarget.files?.[0];
                  if (file) void file.text().then(setCsv);
                }}
              />
            </label>
          </p>
          {send.error && <Failure of={send.error} />}
          <p class="actions">
            <button type="submit" class={ready ? "primary" : ""} disabled={send.busy || !csv.trim()}>
              {ready ? t("import_users.make", { n: outcome.created }) : t("import_users.try")}
            </button>
          </p>
        </form>
        {outcome && <Outcomes of={outcome} />}
      </details>
      {outcome && !outcome.tried && <PasswordSheet of={outcome} />}
    </>
  );
}

function Outcomes({ of }: { of: Outcome }) {
  return (
    <div class="stack" role="status">
      <p>{t(of.tried ? "import_users.would" : "import_users.did", { n: of.created, refused: of.refused })}</p>
      <Table
        caption={t("import_users.title")}
        rows={of.items}
        rowKey={(row) => row.line}
        columns={[
          { title: t("import_users.line"), kind: "number", cell: (row) => row.line },
          { title: t("account.name"), kind: "wide", cell: (row) => row.name },
          { title: t("settings.display_name"), cell: (row) => row.display_name },
          { title: t("import_users.outcome"), cell: (row) => `${t(`creation.${row.outcome}` as Key)}${row.reason ? `: ${find(`reason.${row.reason}`) ?? row.reason}` : ""}` },
        ]}
      />
    </div>
  );
}
