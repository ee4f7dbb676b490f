import { t } from "../../i18n";
import { Page } from "../../ui/Page";

export default function Home() {
  return (
    <Page title={t("home.title")} tab={t("home.title")}>
      <p>…</p>
    </Page>
  );
}
