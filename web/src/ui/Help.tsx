import { t } from "../i18n";
import { helpOpen, setSingleKeys, SHORTCUTS, singleKeys } from "../shortcuts";
import { Dialog } from "./Dialog";
import { Checkbox } from "./Field";

export function Help() {
  return (
    <Dialog title={t("keys.title")} open={helpOpen.value} close={() => (helpOpen.value = false)}>
      <dl class="keys">
        {SHORTCUTS.map((each) => (
          <div key={each.keys}>
            <dt>
              {each.keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(each.text)}</dd>
          </div>
        ))}
      </dl>
      <Checkbox label={t("keys.single")} checked={singleKeys.value} change={setSingleKeys} />
    </Dialog>
  );
}
