import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call";
import { me } from "../../api/session";
import type { Problem, RejudgeCount } from "../../api/schema";
import { t } from "../../i18n";
import { atLeast } from "../../roles";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { useAction } from "../../use";

/** How many verdicts come from other tests than the present ones, with a rejudge filled in. */
export function Outdated({ problem }: { problem: Problem }) {
  const judge = atLeast("judge", me.value);
  const [count, setCount] = useState<RejudgeCount | null>(null);
  const ask = useAction(async () => setCount(await call("POST /api/admin/rejudges/count", { body: { filter: { problem_id: problem.id } } })));
  useEffect(() => {
    if (judge) void ask.run();
  }, [problem.id, problem.revision]);
  if (!judge) return <p class="muted">{t("outdated.ask_a_judge")}</p>;
  if (ask.error) return <Failure of={ask.error} retry={() => void ask.run()} />;
  if (!count) return <Loading />;
  const old = count.by_judge_hash.filter((each) => each.outdated);
  const total = old.reduce((sum, each) => sum + each.submissions, 0);
  if (total === 0) return <p role="status">✓ {t("outdated.none")}</p>;
  const revisions = old.flatMap((each) => each.problem_revisions).sort((one, other) => one - other);
  return (
    <p class="row" role="status">
      <strong>{t("outdated.some", { n: total })}</strong>
      <a class="button" href={`/admin/rejudges?problem=${encodeURIComponent(problem.slug)}&revisions=${revisions.join(",")}`}>
        {t("outdated.rejudge")}
      </a>
    </p>
  );
}
