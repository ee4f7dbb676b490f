import type { ComponentChildren } from "preact";
import { t } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Section } from "../../ui/Section";
import { duration, memory } from "../../ui/Time";
import { useCall } from "../../use";

/** What is in force; it is set where the services are started. */
export function Limits() {
  const quotas = useCall("GET /api/admin/quotas", {});
  const limits = useCall("GET /api/admin/limits", {});
  return (
    <>
      <p class="muted">{t("limits.text")}</p>
      <Section title={t("limits.submitting")}>
        <Answered of={quotas}>
          {(data) => (
            <dl class="facts">
              <Fact name={t("limits.in_flight")} setting="submit_in_flight" value={data.in_flight} />
              <Fact name={t("limits.daily")} setting="submit_daily" value={data.daily_quota} />
              <Fact name={t("limits.interval")} setting="submit_interval" value={duration(data.interval_ms)} />
              <Fact name={t("limits.burst")} setting="submit_burst" value={data.burst} />
              <Fact name={t("limits.high_water")} setting="queue_high_water" value={`${data.queue_high_water} (${t("limits.now", { n: data.queue_depth ?? "?" })})`} />
              <Fact name={t("limits.workers")} value={data.live_workers ?? t("light.unknown")} />
            </dl>
          )}
        </Answered>
      </Section>
      <Section title={t("limits.connections")}>
        <Answered of={limits}>
          {(data) => (
            <dl class="facts">
              <Fact name={t("limits.streams")} setting="streams" value={data.streams} />
              <Fact name={t("limits.streams_of_one")} setting="streams_of_one" value={data.streams_of_one} />
              <Fact name={t("limits.streams_of_guests")} setting="streams_of_guests" value={data.streams_of_guests} />
              <Fact name={t("limits.body")} setting="body_limit" value={memory(data.body_bytes)} />
              <Fact name={t("limits.exempt")} setting="exempt_networks" value={data.exempt_networks.join(", ") || t("limits.nobody")} />
            </dl>
          )}
        </Answered>
      </Section>
    </>
  );
}

function Fact({ name, setting, value }: { name: string; setting?: string; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} {setting && <code class="muted">{setting}</code>}
      </dd>
    </div>
  );
}
