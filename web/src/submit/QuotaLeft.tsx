import { serverNow } from "../clock";
import { me } from "../api/session";
import { t } from "../i18n";
import { clockTime } from "../ui/Time";
import { useCall } from "../use";

const LITTLE = 5;
const DAY_MS = 86_400_000;

const tomorrow = (): string => new Date((Math.floor(serverNow() / DAY_MS) + 1) * DAY_MS).toISOString();

/** How much may still be submitted today, when it is little. */
export function QuotaLeft() {
  const { data } = useCall("GET /api/submissions/quota", me.value ? {} : null);
  if (!data) return null;
  const left = Math.max(0, data.daily_quota - data.submitted_today);
  if (left > LITTLE) return null;
  return (
    <p class="small muted" role="status">
      {left > 0 ? t("quota.left", { n: left }) : t("quota.none", { n: data.daily_quota, time: clockTime(tomorrow()) })}
    </p>
  );
}
