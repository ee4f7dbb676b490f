import type { ImportMessage, MessageLevel, Problem } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { useCall } from "../../use";
import { limitChanges, readingChanges } from "./changes";
import type { Outcome } from "./Import";
import { Outdated } from "./Outdated";

const LEVELS: readonly MessageLevel[] = ["danger", "warning", "info"];

/** What an import would do, or did. */
export function ImportOutcome({ of, go, busy }: { of: Outcome; go: () => void; busy: boolean }) {
  return (
    <div class="stack" role="status">
      <p class="verdict-banner verdict-banner-good">
        <span>
          ✓ {t(of.tried ? "import.readable" : of.before ? "import.revised" : "import.made", { title: of.problem.title, n: of.problem.revision })}
        </span>
      </p>
      {of.before && <Changes before={of.before} after={of.problem} tried={of.tried} />}
      {!of.tried && <p class="muted">{t("import.objects", { uploaded: of.objects_uploaded, there: of.objects_already_there })}</p>}
      <Messages of={of.messages} />
      <p class="actions">
        {of.tried ? (
          <button type="button" class="primary" disabled={busy} onClick={go}>
            {t(of.before ? "import.as_next" : "import.now")}
          </button>
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
