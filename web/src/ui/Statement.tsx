import { useLayoutEffect, useRef } from "preact/hooks";
import type { Problem } from "../api/schema";
import { locale, t } from "../i18n";
import { showStatement } from "../trusted";
import { useCall } from "../use";
import { Icon } from "./Icon";
import { Loading } from "./Loading";

/** A statement in the reader's language, or in one that it has. */
export function Statement({ problem, contestId, revision, chosen }: { problem: Problem; contestId?: string; revision?: number; chosen?: string | null }) {
  const query = { locale: chosen ?? locale.value, ...(contestId ? { contest_id: contestId } : {}), ...(revision ? { revision } : {}) };
  const { data, error } = useCall("GET /api/problems/{problem}/statement", { path: { problem: problem.slug }, query });
  const body = useRef<HTMLDivElement>(null);
  // Before it is painted, so that nothing below it moves.
  useLayoutEffect(() => {
    if (data && body.current) showStatement(body.current, data.html);
  }, [data]);
  // What cannot be rendered can still be read as it was written.
  if (error && !data) return <pre class="statement-source">{written(problem, locale.value)}</pre>;
  if (!data) return <Loading />;
  const pdf = data.pdf && `/api/problems/${problem.id}/assets/${encodeURIComponent(data.pdf)}?inline=1${contestId ? `&contest_id=${contestId}` : ""}`;
  return (
    <>
      <div class="statement" lang={data.locale} ref={body} />
      {pdf && (
        <div class="stack">
          <p>
            <a class="button" href={pdf.replace("inline=1", "")} download>
              <Icon name="download" /> {t("statement.pdf")}
            </a>
          </p>
          {data.format === "pdf" && <iframe class="statement-pdf" src={pdf} title={data.title} />}
        </div>
      )}
    </>
  );
}

function written(problem: Problem, wanted: string): string {
  const found = problem.statements.find((each) => each.locale.startsWith(wanted)) ?? problem.statements[0];
  return found?.markdown ?? "";
}
