import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./Icon";

/** A modal dialog. The browser keeps the focus in it and gives it back. */
export function Dialog({ title, open, close, children, wide = false }: { title: string; open: boolean; close: () => void; children: ComponentChildren; wide?: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) element.showModal();
    if (!open && element?.open) element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : ""}
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      {open && (
        <div class="dialog-body">
          <header>
            <h2>{title}</h2>
            <button type="button" class="quiet icon-only" onClick={close} aria-label={t("action.close")}>
              <Icon name="cross" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
