import { useState } from "preact/hooks";
import { call } from "../../api/call";
import type { User } from "../../api/schema";
import { update } from "../../api/session";
import { t } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { TextArea, TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { useAction } from "../../use";

export function Profile({ user }: { user: User }) {
  const [name, setName] = useState(user.display_name);
  const [bio, setBio] = useState(user.bio);
  const save = useAction(async () => {
    update(await call("PATCH /api/users/me", { body: { display_name: name, bio } }));
    notify(t("action.saved"), { tone: "good" });
  });
  return (
    <form
      class="form stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <TextField label={t("settings.display_name")} value={name} change={setName} maxLength={64} placeholder={user.name} />
      <TextArea label={t("settings.bio")} value={bio} change={setBio} maxLength={1000} rows={4} />
      {save.error && <Failure of={save.error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={save.busy}>
          {t("action.save")}
        </button>
        <a href={`/u/${user.name}`}>{t("nav.profile")}</a>
      </p>
    </form>
  );
}
