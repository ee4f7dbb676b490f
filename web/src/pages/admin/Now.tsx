import type { Now, ProcessNow, Stores, Stuck } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { useLanguages } from "../../solve/languages";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Icon } from "../../ui/Icon";
import { Section } from "../../ui/Section";
import { duration } from "../../ui/Time";
import { DeadGroups } from "./DeadGroups";
import { QueueTable } from "./QueueTable";
import { remedyOf, troubleOf } from "./trouble";
import { useNow } from "./useNow";
import { WorkerTable } from "./WorkerTable";

/** Whether anything is stuck, and then everything that tells why. */
export function NowPage() {
  const now = useNow();
  return (
    <>
      <p class="small muted" role="status">
        {t(now.live ? "now.live" : "now.not_live")}
      </p>
      <Answered of={now}>{(data) => <Shown now={data} />}</Answered>
    </>
  );
}

function Shown({ now }: { now: Now }) {
  return (
    <>
      <Sentence stuck={now.stuck} />
      <Numbers now={now} />
      <Section title={t("admin.queue")}>
        {now.rates ? <QueueTable queues={now.queues} /> : <Empty title={t("queue.unknown")} />}
      </Section>
      <Section title={t("admin.workers")}>
        <WorkerTable workers={now.workers} />
      </Section>
      <Health stores={now.stores} processes={now.processes} />
      <Section title={t("admin.dead")} aside={<a href="/admin/dead">{t("dead.all")}</a>}>
        <DeadGroups groups={now.dead_groups} />
      </Section>
    </>
  );
}

function Sentence({ stuck }: { stuck: readonly Stuck[] }) {
  const languages = useLanguages().data?.items ?? [];
  const [worst, ...others] = stuck;
  if (!worst) {
    return (
      <p class="verdict-banner verdict-banner-good" role="status">
        <Icon name="check" /> {t("now.well")}
      </p>
    );
  }
  return (
    <div class="verdict-banner verdict-banner-bad" role="status">
      <p class="verdict-banner-text">
        <span aria-hidden="true">⚠</span> {troubleOf(worst)}
      </p>
      <p>{remedyOf(worst, languages)}</p>
      {others.length > 0 && (
        <ul>
          {others.map((each) => (
            <li key={`${each.cause}${each.language ?? ""}${each.lane ?? ""}${each.band ?? ""}`}>
              {troubleOf(each)} {remedyOf(each, languages)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Numbers({ now }: { now: Now }) {
  const waiting = now.queues.reduce((sum, each) => sum + each.waiting, 0);
  const capacity = now.workers.reduce((sum, each) => sum + each.capacity, 0);
  const running = now.workers.reduce((sum, each) => sum + each.running, 0);
  const wait = (milliseconds: number | null | undefined): string => (milliseconds == null ? "—" : duration(milliseconds));
  return (
    <dl class="figures">
      <Figure name={t("now.per_minute")} value={now.rates ? now.rates.per_minute.toFixed(1) : "—"} />
      <Figure name={t("now.wait_p50")} value={wait(now.rates?.wait_p50_ms)} />
      <Figure name={t("now.wait_p95")} value={wait(now.rates?.wait_p95_ms)} />
      <Figure name={t("now.waiting")} value={String(waiting)} />
      <Figure name={t("now.running")} value={`${running} / ${capacity}`} />
    </dl>
  );
}

export function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const STORES = ["postgres", "redis", "s3"] as const;

function Health({ stores, processes }: { stores: Stores; processes: readonly ProcessNow[] }) {
  return (
    <Section title={t("now.parts")}>
      <ul class="lights">
        {processes.map((each) => (
          <Light key={each.name} name={each.name} ok={each.ok} detail={each.why} />
        ))}
        {STORES.map((each) => (
          <Light key={each} name={t(`store.${each}` as Key)} ok={stores[each]} detail={null} />
        ))}
      </ul>
      {stores.outbox !== null && stores.outbox > 0 && <p class="muted small">{t("now.outbox", { n: stores.outbox })}</p>}
    </Section>
  );
}

function Light({ name, ok, detail }: { name: string; ok: boolean | null; detail: string | null }) {
  const state = ok === null ? "unknown" : ok ? "ok" : "away";
  return (
    <li class={`light light-${state}`}>
      <span aria-hidden="true">{ok === null ? "?" : ok ? "✓" : "✗"}</span> {name}: {t(`light.${state}` as Key)}
      {detail && <span class="muted small"> {detail}</span>}
    </li>
  );
}
