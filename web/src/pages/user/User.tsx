import { t } from "../../i18n";
import { me } from "../../api/session";
import type { PageProps } from "../../router";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { At } from "../../ui/Time";
import { useCall } from "../../use";
import { HeatMap } from "./HeatMap";

export default function User({ params }: PageProps) {
  const { data, error, reload } = useCall("GET /api/users/by-name/{name}", { path: { name: params["name"] ?? "" } });
  const statistics = useCall("GET /api/users/{user_id}/statistics", data ? { path: { user_id: data.id } } : null);
  if (error && !data) {
    return (
      <div class="page">
        <Failure of={error} retry={reload} />
      </div>
    );
  }
  if (!data) return <Loading />;
  const name = data.display_name || data.name;
  return (
    <Page title={name} tab={name} aside={data.id === me.value?.id && <a class="button" href="/settings/profile">{t("nav.settings")}</a>}>
      <p class="row muted">
        <span>@{data.name}</span>
        {data.created_at && (
          <span>
            {t("user.since")} <At at={data.created_at} />
          </span>
        )}
        {statistics.data && <span>{t("user.passed", { n: statistics.data.passed })}</span>}
      </p>
      {data.bio && <p class="bio">{data.bio}</p>}
      {statistics.data && <HeatMap days={statistics.data.days} />}
      {statistics.error && !statistics.data && <Failure of={statistics.error} retry={statistics.reload} />}
      {me.value && (
        <p>
          <a href={`/submissions?user=${data.id}&all=1`}>{t("user.submissions")}</a>
        </p>
      )}
    </Page>
  );
}
