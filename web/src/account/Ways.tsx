import { useState } from "preact/hooks";
import { t } from "../i18n";
import { site } from "../site";
import { Tabs } from "../ui/Tabs";
import { GuestButton } from "./GuestButton";
import { RegisterForm } from "./RegisterForm";
import { SignInForm } from "./SignInForm";

export type Way = "login" | "register";

/** All ways into an account. */
export function Ways({ first }: { first: Way }) {
  const [way, choose] = useState<Way>(first);
  const tabs = [
    { name: "login" as const, title: t("nav.sign_in") },
    { name: "register" as const, title: t("account.create") },
  ];
  return (
    <div class="stack">
      <GuestButton />
      <Tabs label={t("account.ways")} tabs={tabs} chosen={way} choose={choose}>
        {way === "login" ? <SignInForm /> : <RegisterForm />}
      </Tabs>
      {site.value?.first_admin_hint && <p class="hint">{t("account.first_admin", { file: site.value.first_admin_hint })}</p>}
    </div>
  );
}
