import { useState } from "preact/hooks";
import { call } from "../../api/call";
import { useNames } from "../../contest/names";
import { t } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { Icon } from "../../ui/Icon";
import { useAction } from "../../use";

/** Accounts, added by the names they sign in with. */
export function PeoplePicker({ label, ids, change }: { label: string; ids: readonly string[]; change: (ids: string[]) => void }) {
  const [typed, type] = useState("");
  const nameOf = useNames(ids);
  const add = useAction(async () => {
    const found = await call("GET /api/users/by-name/{name}", { path: { name: typed.trim() } });
    if (!ids.includes(found.id)) change([...ids, found.id]);
    type("");
  });
  return (
    <fieldset>
      <legend>{label}</legend>
      <p class="row">
        {ids.map((id) => (
          <span key={id} class="tag">
            {nameOf(id)}
            <button type="button" class="quiet icon-only" aria-label={`${t("action.delete")}: ${nameOf(id)}`} onClick={() => change(ids.filter((each) => each !== id))}>
              <Icon name="cross" />
            </button>
          </span>
        ))}
        <input
          type="text"
          aria-label={`${label}: ${t("account.name")}`}
          placeholder={t("account.name")}
          value={typed}
          maxLength={100}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (typed.trim()) void add.run();
          }}
        />
        <button type="button" disabled={!typed.trim() || add.busy} onClick={() => void add.run()}>{t("plan.add")}</button>
      </p>
      {add.error && <Failure of={add.error} />}
    </fieldset>
  );
}
