import { useId, useState } from "preact/hooks";
import { call } from "../../api/call";
import type { ContestSummary } from "../../api/schema";
import { t } from "../../i18n";
import { Icon } from "../../ui/Icon";
import { At } from "../../ui/Time";
import { useCall } from "../../use";
import { useFound } from "../../useFound";

/** One contest, found by a part of its name; `chosen` is its id, or empty. */
export function ContestPicker({ chosen, choose }: { chosen: string; choose: (id: string) => void }) {
  const [typed, type] = useState("");
  const id = useId();
  const found = useFound<ContestSummary>(typed, (search, signal) => call("GET /api/contests", { query: { search, size: 8 } }, { signal }).then((answer) => answer.items));
  if (chosen) return <Chosen id={chosen} drop={() => choose("")} />;
  return (
    <div class="field">
      <label for={id}>{t("rejudges.contest")}</label>
      <input id={id} type="search" value={typed} maxLength={100} placeholder={t("rejudges.find_contest")} onInput={(event) => type(event.currentTarget.value)} onKeyDown={(event) => event.key === "Enter" && event.preventDefault()} />
      <ul class="found" aria-live="polite">
        {found.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              onClick={() => {
                choose(each.id);
                type("");
              }}
            >
              {each.title}{" "}
              <span class="muted small">
                <At at={each.schedule.starts_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Chosen({ id, drop }: { id: string; drop: () => void }) {
  const { data, error } = useCall("GET /api/contests/{contest_id}", { path: { contest_id: id } });
  const title = data?.contest.title ?? (error ? id : "…");
  return (
    <div class="field">
      <span class="field-name">{t("rejudges.contest")}</span>
      <p>
        <span class="tag">
          <a href={`/contests/${id}`}>{title}</a>
          <button type="button" class="quiet icon-only" aria-label={t("rejudges.drop", { contest: title })} onClick={drop}>
            <Icon name="cross" />
          </button>
        </span>
      </p>
    </div>
  );
}
