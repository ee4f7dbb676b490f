import type { BoardRow, RankChange } from "../../api/schema";
import { t } from "../../i18n";
import { Table } from "../../ui/Table";

const rank = (row: BoardRow | null): string => (row ? String(row.rank || "–") : t("effect_on.absent"));
const firsts = (row: BoardRow | null): string => row?.cells.filter((each) => each.first_to_solve).map((each) => each.label).join(" ") ?? "";

function Arrow({ of }: { of: RankChange }) {
  const [old, next] = [of.before?.rank ?? 0, of.after?.rank ?? 0];
  if (!old || !next || old === next) return <span class="muted">=</span>;
  const up = next < old;
  return <span class={up ? "verdict-AC" : "verdict-WA"}>{up ? "▲" : "▼"} {t(up ? "effect_on.up" : "effect_on.down", { n: Math.abs(old - next) })}</span>;
}

const sum = (row: BoardRow | null): string => (row ? `${row.solved} · ${Number(row.score.toFixed(2))} · ${row.penalty_minutes}` : "");

/** What happens to whom, before and after side by side. */
export function Effect({ changes, total }: { changes: readonly RankChange[]; total: number }) {
  if (total === 0) return <p role="status">{t("effect_on.nobody")}</p>;
  return (
    <div class="stack">
      <p role="status">
        <strong>{t("effect_on.rows", { n: total })}</strong> {changes.length < total && t("effect_on.first", { n: changes.length })}
      </p>
      <Table
        caption={t("effect_on.title")}
        rows={changes}
        rowKey={(row) => row.user_id}
        columns={[
          { title: t("board.name"), kind: "wide", cell: (row) => (row.after ?? row.before)?.participant.display_name ?? row.user_id.slice(0, 8) },
          { title: t("effect_on.rank_before"), kind: "number", cell: (row) => rank(row.before) },
          { title: t("effect_on.rank_after"), kind: "number", cell: (row) => rank(row.after) },
          { title: t("effect_on.move"), kind: "narrow", cell: (row) => <Arrow of={row} /> },
          { title: t("effect_on.sum_before"), kind: "narrow", cell: (row) => sum(row.before) },
          { title: t("effect_on.sum_after"), kind: "narrow", cell: (row) => sum(row.after) },
          { title: `★ ${t("board.first")}`, kind: "narrow", cell: (row) => (firsts(row.before) === firsts(row.after) ? firsts(row.after) : `${firsts(row.before) || "–"} → ${firsts(row.after) || "–"}`) },
          { title: t("effect_on.why"), cell: (row) => row.reason },
        ]}
      />
    </div>
  );
}
