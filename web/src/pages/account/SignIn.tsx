import { useEffect } from "preact/hooks";
import { me } from "../../api/session";
import { Ways } from "../../account/Ways";
import { t } from "../../i18n";
import { go, place } from "../../router";
import { Page } from "../../ui/Page";

/** Only a path of this site: a link must not lead elsewhere after signing in. */
function next(): string {
  const asked = place.peek().query.get("next") ?? "/";
  return /^\/(?![/\\])/.test(asked) ? asked : "/";
}

export default function SignIn() {
  const first = place.value.path === "/register" ? "register" : "login";
  const title = first === "register" ? t("account.create") : t("nav.sign_in");
  useEffect(() => {
    if (me.value) go(next(), { replace: true });
  }, [me.value]);
  return (
    <div class="narrow">
      <Page title={title} tab={title}>
        <Ways first={first} />
      </Page>
    </div>
  );
}
