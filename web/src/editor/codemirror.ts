// The code editor; a part of its own, loaded when somebody turns to an editor.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, Prec, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { languageOf } from "./languages";

export interface Hooks {
  change: (text: string) => void;
  submit?: (() => void) | undefined;
  run?: (() => void) | undefined;
}

export interface Handle {
  set: (text: string) => void;
  setFile: (name: string) => void;
  focus: () => void;
  destroy: () => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--accent)" },
  { tag: [tags.string, tags.character, tags.special(tags.string)], color: "var(--ac)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--wa)" },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: "var(--muted)" },
  { tag: [tags.typeName, tags.className, tags.standard(tags.variableName)], color: "var(--waiting)" },
  { tag: tags.definition(tags.variableName), color: "var(--text)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.875rem", backgroundColor: "var(--bg)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--bg)", color: "var(--muted)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--surface) 60%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "color-mix(in srgb, var(--accent) 25%, transparent) !important" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--control-line)" },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-textfield": { backgroundColor: "var(--raised)", borderColor: "var(--control-line)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--raised)", borderColor: "var(--control-line)" },
});

const isSet = Annotation.define<boolean>();

const call = (hook: (() => void) | undefined) => (): boolean => {
  hook?.();
  return Boolean(hook);
};

function insertTab(view: EditorView): boolean {
  const { state } = view;
  if (state.selection.ranges.some((range) => !range.empty)) return indentMore(view);
  view.dispatch(state.update(state.replaceSelection(state.facet(indentUnit)), { scrollIntoView: true, userEvent: "input" }));
  return true;
}

/**
 * Typing over a selection. A browser would keep the look of what it replaces by an inline style, which the policy
 * of the site forbids.
 */
const replaceBySelf = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { main } = view.state.selection;
    const text = event.data;
    if (event.inputType !== "insertText" || !text || main.empty || view.composing) return false;
    const insert = (): Transaction => view.state.update(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: "input.type" });
    const handled = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, main.from, main.to, text, insert));
    if (!handled) view.dispatch(insert());
    return true;
  },
});

export interface Begun {
  value: string;
  selectionStart: number;
  selectionEnd: number;
}

/** Put an editor into `host`. It lives in a shadow root, where its styles are sheets and not elements. */
export function mount(host: HTMLElement, begun: Begun, file: string, label: string, hooks: Hooks): Handle {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const language = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: begun.value,
      // A text area with the text as it is, so that positions in it are those in the document.
      selection: { anchor: begun.selectionStart, head: begun.selectionEnd },
      extensions: [
        Prec.highest(keymap.of([
          { key: "Mod-Enter", run: call(hooks.submit) },
          { key: "Mod-'", run: call(hooks.run) },
        ])),
        // After Esc the browser's own Tab moves the focus on, so that nobody is caught in the editor.
        keymap.of([{ key: "Tab", run: insertTab, shift: indentLess }]),
        replaceBySelf,
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        syntaxHighlighting(colours),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap]),
        language.of([]),
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((each) => each.annotation(isSet))) hooks.change(update.state.doc.toString());
        }),
        look,
      ],
    }),
  });
  const setFile = (name: string): void => {
    languageOf(name).then(
      (found) => view.dispatch({ effects: language.reconfigure(found ?? []) }),
      () => undefined,
    );
  };
  setFile(file);
  return {
    set: (given) => {
      if (given === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: given }, annotations: [isSet.of(true), Transaction.addToHistory.of(false)] });
    },
    setFile,
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
