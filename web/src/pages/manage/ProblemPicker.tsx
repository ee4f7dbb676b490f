import { useState } from "preact/hooks";
import { call } from "../../api/call";
import type { ProblemSummary } from "../../api/schema";
import { t } from "../../i18n";
import { Icon } from "../../ui/Icon";
import { useFound } from "../../useFound";

export interface Picked {
  problem_id: string;
  label: string;
  points: number | null;
  colour: string;
  title: string;
}

const letter = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : `P${index + 1}`);

/** The problems of a contest: found by search, each with its label, points and colour. */
export function ProblemPicker({ picked, change }: { picked: readonly Picked[]; change: (picked: Picked[]) => void }) {
  const [typed, type] = useState("");
  const found = useFound<ProblemSummary>(typed, (search, signal) => call("GET /api/problems", { query: { search, size: 8 } }, { signal }).then((answer) => answer.items));
  const set = (index: number, part: Partial<Picked>): void => change(picked.map((each, at) => (at === index ? { ...each, ...part } : each)));
  const add = (problem: ProblemSummary): void => {
    const used = new Set(picked.map((each) => each.label));
    const label = Array.from({ length: 200 }, (_, index) => letter(index)).find((each) => !used.has(each)) ?? "";
    change([...picked, { problem_id: problem.id, label, points: null, colour: "", title: problem.title }]);
    type("");
  };
  return (
    <fieldset>
      <legend>{t("nav.problems")}</legend>
      {picked.length === 0 && <p class="muted">{t("plan.no_problems")}</p>}
      <ul class="picked">
        {picked.map((each, index) => (
          <li key={each.problem_id}>
            <input aria-label={`${t("contest.label")}: ${each.title}`} value={each.label} required maxLength={8} size={3} onInput={(event) => set(index, { label: event.currentTarget.value })} />
            <span class="picked-title">{each.title || each.problem_id.slice(0, 8)}</span>
            <input type="number" min={0} step="any" aria-label={`${t("contest.points")}: ${each.title}`} placeholder={t("contest.points")} value={each.points ?? ""} onInput={(event) => set(index, { points: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })} />
            <input type="color" aria-label={`${t("plan.colour")}: ${each.title}`} value={each.colour || "#808080"} onInput={(event) => set(index, { colour: event.currentTarget.value })} />
            <button type="button" class="quiet icon-only" aria-label={`${t("action.delete")}: ${each.title}`} onClick={() => change(picked.filter((_, at) => at !== index))}>
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
      <label>
        <span class="visually-hidden">{t("plan.add_problem")}</span>
        <input type="search" value={typed} placeholder={t("plan.add_problem")} maxLength={100} onInput={(event) => type(event.currentTarget.value)} onKeyDown={(event) => event.key === "Enter" && event.preventDefault()} />
      </label>
      <ul class="found" aria-live="polite">
        {found
          .filter((each) => !picked.some((other) => other.problem_id === each.id))
          .map((each) => (
            <li key={each.id}>
              <button type="button" onClick={() => add(each)}>+ {each.title} <span class="muted small">{each.slug}</span></button>
            </li>
          ))}
      </ul>
    </fieldset>
  );
}
