import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Refusal } from "../api/refusal";

interface Common {
  label: string;
  hint?: ComponentChildren;
  error?: string | null | undefined;
}

interface Typed extends Common {
  value: string;
  change: (value: string) => void;
  required?: boolean;
  disabled?: boolean;
  placeholder?: string;
  minLength?: number;
  maxLength?: number;
  autoFocus?: boolean;
}

function Frame({ id, label, hint, error, children }: Common & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

const described = (id: string, hint: unknown, error: unknown): string | undefined => [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;

export function TextField({ label, hint, error, change, type = "text", ...rest }: Typed & { type?: "text" | "email" | "password" | "search" | "number" | "datetime-local" | "url"; autoComplete?: string; min?: string; max?: string; step?: string; pattern?: string; spellcheck?: boolean }) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input {...({ ...rest, type } as object)} id={id} aria-invalid={error ? true : undefined} aria-describedby={described(id, hint, error)} onInput={(event) => change(event.currentTarget.value)} />
    </Frame>
  );
}

export function TextArea({ label, hint, error, change, ...rest }: Typed & { rows?: number; spellcheck?: boolean }) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea {...rest} id={id} aria-invalid={error ? true : undefined} aria-describedby={described(id, hint, error)} onInput={(event) => change(event.currentTarget.value)} />
    </Frame>
  );
}

export function Select({ label, hint, error, change, options, value, disabled = false }: Common & { value: string; disabled?: boolean; change: (value: string) => void; options: readonly { value: string; text: string; disabled?: boolean }[] }) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select id={id} value={value} disabled={disabled} aria-describedby={described(id, hint, error)} onChange={(event) => change(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function Checkbox({ label, checked, change }: { label: ComponentChildren; checked: boolean; change: (value: boolean) => void }) {
  return (
    <label class="checkbox">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** What the server said of one field. */
export const errorOf = (refusal: Refusal | null, field: string): string | null => refusal?.errors.find((each) => each.field === field)?.message ?? null;
