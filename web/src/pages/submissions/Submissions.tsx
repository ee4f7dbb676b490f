import { useEffect } from "preact/hooks";
import { me } from "../../api/session";
import type { Verdict as Code } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { on } from "../../live";
import { place, setQuery } from "../../router";
import { useLanguages } from "../../solve/languages";
import { SubmissionTable } from "../../submissions/SubmissionTable";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { useCall } from "../../use";

const VERDICTS: readonly Code[] = ["AC", "WA", "PE", "TLE", "MLE", "OLE", "RE", "CE", "SE"];
const chosen = (name: string): string => place.value.query.get(name) ?? "";
const choose = (name: string, value: string): void => setQuery({ [name]: value || null, cursor: null });

/** My submissions; with `all=1` all that I may see. */
export default function Submissions() {
  const reader = me.value;
  const all = chosen("all") === "1";
  const languages = useLanguages();
  const verdict = chosen("verdict") as Code | "";
  const query = {
    ...(all || !reader ? {} : { user_id: reader.id }),
    ...(chosen("user") ? { user_id: chosen("user") } : {}),
    ...(chosen("problem") ? { problem_id: chosen("problem") } : {}),
    ...(chosen("contest") ? { contest_id: chosen("contest") } : {}),
    ...(chosen("language") ? { language: chosen("language") } : {}),
    ...(verdict ? { verdict: [verdict] } : {}),
    cursor: presentCursor(),
    size: 50,
  };
  const { data, error, reload } = useCall("GET /api/submissions", reader ? { query } : null);
  useEffect(() => on("submission", reload), [reload]);
  const names = new Map(languages.data?.items.map((each) => [each.slug, each.name]));
  return (
    <Page title={t("nav.submissions")} tab={t("nav.submissions")}>
      {reader === null && <Empty title={t("kind.unauthenticated")}><a class="button" href="/login?next=/submissions">{t("nav.sign_in")}</a></Empty>}
      {reader && (
        <search class="filters">
          <label>
            <span class="visually-hidden">{t("submissions.whose")}</span>
            <select value={all ? "1" : ""} onChange={(event) => choose("all", event.currentTarget.value)}>
              <option value="">{t("submissions.mine")}</option>
              <option value="1">{t("submissions.all")}</option>
            </select>
          </label>
          <label>
            <span class="visually-hidden">{t("submission.verdict")}</span>
            <select value={verdict} onChange={(event) => choose("verdict", event.currentTarget.value)}>
              <option value="">{t("submissions.any_verdict")}</option>
              {VERDICTS.map((each) => (
                <option key={each} value={each}>
                  {t(`verdict.${each}` as Key)}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span class="visually-hidden">{t("solve.language")}</span>
            <select value={chosen("language")} onChange={(event) => choose("language", event.currentTarget.value)}>
              <option value="">{t("submissions.any_language")}</option>
              {[...names].map(([slug, name]) => (
                <option key={slug} value={slug}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </search>
      )}
      {error && !data && <Failure of={error} retry={reload} />}
      {reader && !data && !error && <Loading />}
      {data && data.items.length > 0 && <SubmissionTable rows={data.items} languages={names} without={all ? [] : ["person"]} />}
      {data?.items.length === 0 && <Empty title={t("submissions.none")}><a class="button" href="/problems">{t("home.all_problems")}</a></Empty>}
      <Pagination next={data?.page.next_cursor} />
    </Page>
  );
}
