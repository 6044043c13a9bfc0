import { html } from '../../layout/html.ts';
import { renderPage } from '../../layout/layout.ts';
import { products } from '../products.ts';
import { type Field, type Filled, type Form, writeForm } from './form.ts';

const MIN_PASSWORD_LENGTH = 8;

const email: Field = {
  ...{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' },
  advice: 'Please give an e-mail address that you can read.',
};

const password: Field = {
  ...{ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password' },
  advice: `Please choose a password of at least ${MIN_PASSWORD_LENGTH} characters.`,
  hint: `At least ${MIN_PASSWORD_LENGTH} characters.`,
  minLength: MIN_PASSWORD_LENGTH,
};

const signUpForm: Form = {
  action: '/signup',
  title: 'Start your trial',
  lead: 'Your account is ready at once. No card needed.',
  fields: [
    {
      ...{ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' },
      advice: 'Please tell us your name. Visitors see it when you answer.',
    },
    email,
    {
      ...{ name: 'organization', label: 'Company or website', type: 'text', autocomplete: 'organization' },
      advice: 'Please name your company or website.',
    },
    password,
  ],
  choice: {
    name: 'product',
    label: 'Product',
    options: Object.entries(products).map(([value, { name }]) => ({ value, label: name })),
  },
  submit: 'Create my account',
};

const joinForm: Form = {
  action: '/join',
  title: 'Join the partner programme',
  lead: 'Recommend Parley by links of your own, see every click and trial, and earn a share of what comes of them.',
  fields: [
    {
      ...{ name: 'first_name', label: 'First name', type: 'text', autocomplete: 'given-name' },
      advice: 'Please tell us your first name.',
    },
    {
      ...{ name: 'last_name', label: 'Last name', type: 'text', autocomplete: 'family-name' },
      advice: 'Please tell us your last name.',
    },
    email,
    password,
  ],
  submit: 'Become a partner',
};

export const forms = { sign_up: signUpForm, join: joinForm } as const;
export type FormName = keyof typeof forms;

export const renderForm = (name: FormName, filled: Filled, hidden: Readonly<Record<string, string>>): string =>
  renderPage({ title: `${forms[name].title} – Parley`, body: writeForm(forms[name], filled, hidden) });

/** What the operations answer with. */
export interface Answers {
  sign_up: { organization_id: string; license_id: number; login: string };
  join: { partner_id: string; login: string; token: string };
}

const renderSignedUp = ({ login, license_id, organization_id }: Answers['sign_up'], publicUrl: string): string =>
  renderPage({
    title: 'Your account is ready – Parley',
    body: html`<main class="sign-up">
<h1>Your account is ready</h1>
<p class="lead">Your trial has begun. We have sent the same to <strong>${login}</strong>.</p>
<dl class="facts">
<div><dt>License</dt><dd>${license_id}</dd></div>
<div><dt>Login</dt><dd>${login}</dd></div>
<div><dt>Organization</dt><dd>${organization_id}</dd></div>
</dl>
<h2>What next</h2>
<ol class="steps">
<li><p>Put this line into every page of your website. From then on you see who visits it.</p>
<pre><code>${`<script async src="${publicUrl}/tracking.js" data-license="${license_id}"></script>`}</code></pre></li>
<li><p>Invite your colleagues, and let your programs in: <a href="/docs/agent">agents</a>, <a href="/docs/chat-ops">back office</a>, <a href="/docs/customer">visitors</a>.</p></li>
<li><p>Answer your first chat.</p></li>
</ol>
</main>`,
  });

const renderJoined = ({ partner_id, login, token }: Answers['join'], publicUrl: string): string =>
  renderPage({
    title: 'Welcome, partner – Parley',
    body: html`<main class="sign-up">
<h1>Welcome to the programme</h1>
<p class="lead">You are partner <strong>${partner_id}</strong>, and your login is <strong>${login}</strong>.</p>
<h2>What next</h2>
<ol class="steps">
<li><p>Keep your API token. Programs of yours use it, and whoever has it can read your account.</p>
<pre><code>${token}</code></pre></li>
<li><p>Fetch your links. There is one for each product from the start.</p>
<pre><code>${`curl ${publicUrl}/v2/partners/affiliates/links \\\n  -H 'Authorization: Bearer <token>'`}</code></pre></li>
<li><p>Share them, and see what comes of it: the <a href="/docs/partner">partner API</a> lists everything.</p></li>
</ol>
</main>`,
  });

export const renderDone = (name: FormName, answer: Answers[FormName], publicUrl: string): string =>
  name === 'join'
    ? renderJoined(answer as Answers['join'], publicUrl)
    : renderSignedUp(answer as Answers['sign_up'], publicUrl);
