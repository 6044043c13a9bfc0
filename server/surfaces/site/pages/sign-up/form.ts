import { html, type Markup } from '../../layout/html.ts';

export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  /** The error message when the value is invalid. */
  invalidMessage: string;
  hint?: string;
  minLength?: number;
}

export interface Choice {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

export interface Form {
  action: string;
  title: string;
  lead: Markup | string;
  fields: readonly Field[];
  choice?: Choice;
  submit: string;
}

/** Submitted values and their errors. */
export interface Filled {
  values: Readonly<Record<string, string>>;
  /** By the name of the field. */
  errors: Readonly<Record<string, string>>;
  /** An error that concerns no single field. */
  message?: string | undefined;
}

const writeField = (
  { name, label, type, autocomplete, hint, minLength }: Field,
  { values, errors }: Filled,
): Markup => {
  const error = errors[name];
  // Passwords are never sent back to the browser.
  const value = type === 'password' ? '' : (values[name] ?? '');
  const described = error ? `${name}-error` : hint ? `${name}-hint` : undefined;
  return html`<div class="field${error ? ' invalid' : ''}">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required maxlength="200"${
    minLength ? html` minlength="${minLength}"` : undefined
  }${described ? html` aria-describedby="${described}"` : undefined}${error ? html` aria-invalid="true"` : undefined}>
${error ? html`<p class="error" id="${name}-error">${error}</p>` : hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined}
</div>`;
};

const writeChoice = ({ name, label, options }: Choice, { values }: Filled): Markup =>
  html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">${options.map(
    ({ value, label: text }) =>
      html`<option value="${value}"${values[name] === value ? html` selected` : undefined}>${text}</option>`,
  )}</select>
</div>`;

/** A form that works without scripts. `hidden` values are submitted along. */
export const writeForm = (form: Form, filled: Filled, hidden: Readonly<Record<string, string>>): Markup =>
  html`<main class="sign-up">
<h1>${form.title}</h1>
<p class="lead">${form.lead}</p>
${filled.message ? html`<p class="problem" role="alert">${filled.message}</p>` : undefined}
<form method="post" action="${form.action}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${form.fields.map((field) => writeField(field, filled))}
${form.choice ? writeChoice(form.choice, filled) : undefined}
<button class="button" type="submit">${form.submit}</button>
</form>
</main>`;
