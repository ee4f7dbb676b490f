import { useEffect, useRef, useState } from "preact/hooks";
import type { Handle } from "../editor/codemirror";

interface Given {
  value: string;
  /** Another one has `value` put into the editor; typing alone does not, or fast typing would fight with it. */
  version: number;
  /** The name of the source, which tells the language. */
  file: string;
  label: string;
  change: (text: string) => void;
  submit?: () => void;
  run?: () => void;
}

/** A plain text area that becomes a code editor when somebody turns to it; what was typed meanwhile stays. */
export function Editor(given: Given) {
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const handle = useRef<Handle | null>(null);
  const latest = useRef(given);
  const [upgraded, setUpgraded] = useState(false);
  latest.current = given;

  // It costs more than all the rest of a page: who only reads does without.
  const upgrade = (): void => {
    import("../editor/codemirror").then(
      ({ mount }) => {
        if (!host.current || !plain.current || handle.current) return;
        const focused = document.activeElement === plain.current;
        const now = latest.current;
        handle.current = mount(host.current, plain.current, now.file, now.label, {
          change: (text) => latest.current.change(text),
          submit: () => latest.current.submit?.(),
          run: () => latest.current.run?.(),
        });
        setUpgraded(true);
        if (focused) handle.current.focus();
      },
      () => undefined,
    );
  };
  useEffect(
    () => () => {
      handle.current?.destroy();
      handle.current = null;
    },
    [],
  );
  useEffect(() => handle.current?.set(given.value), [given.version]);
  useEffect(() => handle.current?.setFile(given.file), [given.file]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key === "Enter") given.submit?.();
    else if (event.key === "'") given.run?.();
    else return;
    event.preventDefault();
  };
  return (
    <div class="editor" {...(upgraded ? {} : { onPointerEnter: upgrade, onFocusIn: upgrade })}>
      {!upgraded && <textarea ref={plain} aria-label={given.label} spellcheck={false} autocomplete="off" value={given.value} onInput={(event) => given.change(event.currentTarget.value)} onKeyDown={onKeyDown} />}
      <div class="editor-host" ref={host} />
    </div>
  );
}
