import type { Context } from '#server/context.ts';
import { html } from '../../layout/html.ts';
import { renderNotice, renderPage } from '../../layout/layout.ts';
import { products } from '../products.ts';
import { type Field, type Filled, type Form, writeForm } from './form.ts';

const MIN_PASSWORD_LENGTH = 8;

const email: Field = {
  ...{ name: 'email', label: 'Email', type: 'email', autocomplete: 'email' },
  invalidMessage: 'Enter a valid email address.',
};

const password: Field = {
  ...{ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password' },
  invalidMessage: `Enter a less common password with at least ${MIN_PASSWORD_LENGTH} characters.`,
  hint: `At least ${MIN_PASSWORD_LENGTH} characters.`,
  minLength: MIN_PASSWORD_LENGTH,
};

const signUpForm: Form = {
  action: '/signup',
  title: 'Start your trial',
  lead: 'Free trial, no credit card required.',
  fields: [
    {
      ...{ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' },
      invalidMessage: 'Enter your name. Visitors see it when you reply.',
    },
    email,
    {
      ...{ name: 'organization', label: 'Company or website', type: 'text', autocomplete: 'organization' },
      invalidMessage: 'Enter your company or website.',
    },
    password,
  ],
  choice: {
    name: 'product',
    label: 'Product',
    options: Object.entries(products).map(([value, { name }]) => ({ value, label: name })),
  },
  submit: 'Create account',
};

const joinForm: Form = {
  action: '/join',
  title: 'Join the partner program',
  lead: 'Share your links, track sign-ups, and earn commission.',
  fields: [
    {
      ...{ name: 'first_name', label: 'First name', type: 'text', autocomplete: 'given-name' },
      invalidMessage: 'Enter your first name.',
    },
    {
      ...{ name: 'last_name', label: 'Last name', type: 'text', autocomplete: 'family-name' },
      invalidMessage: 'Enter your last name.',
    },
    email,
    password,
  ],
  submit: 'Create partner account',
};

export const forms = { sign_up: signUpForm, join: joinForm } as const;
export type FormName = keyof typeof forms;

const invitation: Field = {
  ...{ name: 'invitation', label: 'Invitation code', type: 'text', autocomplete: 'off' },
  invalidMessage: 'Enter the code of a valid invitation for this email address.',
  hint: 'You need an invitation from the operator of this server.',
};

/** The fields of a form; with an invitation code where one is needed. */
export const fieldsOf = (name: FormName, { signUp }: Pick<Context['config'], 'signUp'>): readonly Field[] =>
  signUp === 'invite' ? [...forms[name].fields, invitation] : forms[name].fields;

export const renderForm = (
  name: FormName,
  config: Pick<Context['config'], 'signUp'>,
  filled: Filled,
  hidden: Readonly<Record<string, string>>,
): string =>
  renderPage({
    title: `${forms[name].title} – Parley`,
    body: writeForm({ ...forms[name], fields: fieldsOf(name, config) }, filled, hidden),
  });

/** Says whom to ask for an account. `MAIL_FROM` is the only address of the operator that the server knows. */
export const renderClosed = ({ mailFrom }: Pick<Context['config'], 'mailFrom'>): string => {
  const address = /[^\s<>]+@[^\s<>]+/.exec(mailFrom)?.[0] ?? '';
  const operator = address.endsWith('@localhost')
    ? 'the operator of this server'
    : `the operator of this server (${address})`;
  return renderNotice('Sign-up is closed', `Accounts on this server are by request. Ask ${operator} for one.`);
};

/** The responses of the operations. */
export interface Answers {
  sign_up: { organization_id: string; license_id: number; login: string };
  join: { partner_id: string; login: string; token: string };
}

const RESEND = html`<p class="muted">No email? <a href="/verify-email">Get a new link</a></p>`;

const renderSignedUp = ({ login, license_id, organization_id }: Answers['sign_up'], publicUrl: string): string =>
  renderPage({
    title: 'Your account is ready – Parley',
    body: html`<main class="sign-up">
<h1>Your account is ready</h1>
<p class="lead">Your trial has started. To send email to customers, confirm your address with the link we've sent to <strong>${login}</strong>.</p>
${RESEND}
<dl class="facts">
<div><dt>License</dt><dd>${license_id}</dd></div>
<div><dt>Email</dt><dd>${login}</dd></div>
<div><dt>Organization</dt><dd>${organization_id}</dd></div>
</dl>
<h2>Next steps</h2>
<ol class="steps">
<li><p>Add the chat widget to every page of your website:</p>
<pre><code>${`<script async src="${publicUrl}/widget.js" data-organization="${organization_id}"></script>`}</code></pre></li>
<li><p>Add conversion tracking:</p>
<pre><code>${`<script async src="${publicUrl}/tracking.js" data-license="${license_id}"></script>`}</code></pre></li>
<li><p>Sign in to the console, invite your team and answer your first chat. Developers find the APIs here: <a href="/docs/agent">agent</a>, <a href="/docs/chat-ops">back office</a>, <a href="/docs/customer">customer</a>.</p></li>
</ol>
<p><a class="button" href="/console">Open console</a></p>
</main>`,
  });

const renderJoined = ({ partner_id, login, token }: Answers['join'], publicUrl: string): string =>
  renderPage({
    title: 'Welcome, partner – Parley',
    body: html`<main class="sign-up">
<h1>Welcome to the partner program</h1>
<p class="lead">Your partner ID is <strong>${partner_id}</strong>. Confirm your address with the link we've sent to <strong>${login}</strong>.</p>
${RESEND}
<h2>Next steps</h2>
<ol class="steps">
<li><p>Save your API token and keep it secret: it grants access to your account.</p>
<pre><code>${token}</code></pre></li>
<li><p>Get your links. There is one for each product:</p>
<pre><code>${`curl ${publicUrl}/v2/partners/affiliates/links \\\n  -H 'Authorization: Bearer <token>'`}</code></pre></li>
<li><p>Share them and track clicks, trials and commissions with the <a href="/docs/partner">partner API</a>.</p></li>
</ol>
</main>`,
  });

export const renderDone = (name: FormName, answer: Answers[FormName], publicUrl: string): string =>
  name === 'join'
    ? renderJoined(answer as Answers['join'], publicUrl)
    : renderSignedUp(answer as Answers['sign_up'], publicUrl);
