import type { ImportedProblem, ImportMessage, LeftOutProblem, MessageLevel, Problem } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Table, type Column } from "../../ui/Table";
import { useCall } from "../../use";
import { limitChanges, readingChanges } from "./changes";
import type { Outcome } from "./Import";
import { Outdated } from "./Outdated";

const LEVELS: readonly MessageLevel[] = ["danger", "warning", "info"];

/** What an import would do, or did. */
export function ImportOutcome({ of, go, busy }: { of: Outcome; go: () => void; busy: boolean }) {
  const many = of.problems.length + of.left_out.length > 1;
  return (
    <div class="stack" role="status">
      <p class="verdict-banner verdict-banner-good">
        <span>✓ {many ? t(of.tried ? "import.many_readable" : "import.many_made", { n: of.problems.length }) : t(of.tried ? "import.readable" : of.before ? "import.revised" : "import.made", { title: of.problem.title, n: of.problem.revision })}</span>
      </p>
      <p class="muted">{t("import.format", { format: of.format })}</p>
      {many && <Problems taken={of.problems} leftOut={of.left_out} tried={of.tried} />}
      {of.before && <Changes before={of.before} after={of.problem} tried={of.tried} />}
      {!of.tried && <p class="muted">{t("import.objects", { uploaded: of.objects_uploaded, there: of.objects_already_there })}</p>}
      <Messages of={of.messages} />
      <p class="actions">
        {of.tried ? (
          <button type="button" class="primary" disabled={busy} onClick={go}>
            {many ? t("import.now_many", { n: of.problems.length }) : t(of.before ? "import.as_next" : "import.now")}
          </button>
        ) : many ? (
          <a class="button primary" href="/setter">
            {t("import.look_many")}
          </a>
        ) : (
          <>
            <a class="button primary" href={`/setter/${of.problem.slug}/statement`}>
              {t("import.look")}
            </a>
            <a class="button" href={`/setter/${of.problem.slug}/check`}>
              {t("setter.check")}
            </a>
            <a class="button" href={`/setter/${of.problem.slug}/publish`}>
              {t("setter.publish")}
            </a>
          </>
        )}
      </p>
    </div>
  );
}

type Result = { name: string; taken: ImportedProblem | null; why: LeftOutProblem | null };

/** Each problem of an archive of several: taken, or left out and why. */
function Problems({ taken, leftOut, tried }: { taken: readonly ImportedProblem[]; leftOut: readonly LeftOutProblem[]; tried: boolean }) {
  const rows: Result[] = [...taken.map((each) => ({ name: each.title, taken: each, why: null })), ...leftOut.map((each) => ({ name: each.name, taken: null, why: each }))];
  const columns: Column<Result>[] = [
    { title: t("problems.title"), kind: "wide", cell: (row) => (row.taken && !tried ? <a href={`/setter/${row.taken.slug}/statement`}>{row.name}</a> : row.name) },
    {
      title: t("import.result"),
      cell: (row) =>
        row.why ? (
          <>
            ✗ {t("import.left_out")} {row.why.message} <code>{row.why.code}</code>
          </>
        ) : (
          `✓ ${t(tried ? "import.can_be" : "import.is_here", { n: row.taken?.revision ?? 1 })}`
        ),
    },
  ];
  return <Table caption={t("import.problems")} rows={rows} rowKey={(row) => `${row.taken?.id ?? row.why?.code} ${row.name}`} columns={columns} />;
}

function Messages({ of }: { of: readonly ImportMessage[] }) {
  if (of.length === 0) return <p>{t("import.no_messages")}</p>;
  return (
    <>
      {LEVELS.map((level) => {
        const own = of.filter((each) => each.level === level);
        return (
          own.length > 0 && (
            <section key={level} class="stack-tight" aria-label={t(`message.${level}` as Key)}>
              <h2>
                {t(`message.${level}` as Key)} ({own.length})
              </h2>
              <ul class="messages">
                {own.map((each, index) => (
                  <li key={index} class={`message message-${level}`}>
                    {each.file && <code>{each.file}</code>} {each.text}
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
    </>
  );
}

/** What differs from what was there, and whether verdicts depend on it. */
function Changes({ before, after, tried }: { before: Problem; after: Problem; tried: boolean }) {
  const unchanged = before.revision === after.revision;
  const found = [...readingChanges(before, after), ...limitChanges(before, after)];
  return (
    <div class="panel">
      <h2>{t(tried ? "changes.would" : "changes.did")}</h2>
      {unchanged ? (
        <p>{t("changes.none")}</p>
      ) : (
        <>
          {found.length > 0 ? (
            <ul>
              {found.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          ) : (
            <p>{t("changes.only_tests")}</p>
          )}
          {tried ? found.length > 0 && <p class="muted">{t("changes.tests_unknown")}</p> : <Hashes problem={after} from={before.revision} />}
        </>
      )}
    </div>
  );
}

function Hashes({ problem, from }: { problem: Problem; from: number }) {
  const revisions = useCall("GET /api/problems/{problem}/revisions", { path: { problem: problem.id } });
  const hash = (number: number): string | undefined => revisions.data?.items.find((each) => each.number === number)?.judge_hash;
  return (
    <Answered of={revisions}>
      {(data) =>
        hash(from) === hash(problem.revision) ? (
          <p>✓ {t("revisions.same_hash")}</p>
        ) : (
          <>
            <p>{t("revisions.other_hash")}</p>
            <Outdated problem={problem} revisions={data.items} />
          </>
        )
      }
    </Answered>
  );
}
