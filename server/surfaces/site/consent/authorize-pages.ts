import { html } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';

/** In words that people read before they agree. */
const describeScope = (scope: string): string => {
  const [, area, verb] = /^(.*)_(read|write)$/.exec(scope)!;
  return `${verb === 'read' ? 'Read' : 'Change'} ${area!.replaceAll('_', ' ')}`;
};

export interface Question {
  clientName: string;
  organizationName: string;
  login: string;
  scopes: string[];
  redirectHost: string;
  /** Shows that the answer comes from this page. */
  ticket: string;
}

export const renderQuestion = (question: Question): string =>
  renderPage({
    title: `Let ${question.clientName} in? – Parley`,
    body: html`<main class="notice">
<h1>Let ${question.clientName} in?</h1>
<p>It asks to do this in <strong>${question.organizationName}</strong>, in your name (${question.login}):</p>
<ul class="asked">${question.scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}</ul>
<p>You will be taken to <strong>${question.redirectHost}</strong>.</p>
<form method="post" class="choices">
<input type="hidden" name="ticket" value="${question.ticket}">
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny" class="plain">Deny</button>
<button type="submit" name="decision" value="sign_out" class="aside">Use another account</button>
</form>
</main>`,
  });

/** With what was entered before, and why it did not work. */
export const renderSignIn = (clientName: string, { login, fault }: { login: string; fault?: string }): string =>
  renderPage({
    title: 'Sign in – Parley',
    body: html`<main class="notice">
<h1>Sign in</h1>
<p>${clientName} asks to be let in. Sign in to decide.</p>
${fault && html`<p class="problem" role="alert">${fault}</p>`}
<form method="post" class="entry">
<input type="hidden" name="decision" value="sign_in">
<p class="field"><label for="login">E-mail</label>
<input id="login" type="email" name="login" value="${login}" autocomplete="username" required></p>
<p class="field"><label for="password">Password</label>
<input id="password" type="password" name="password" autocomplete="current-password" required></p>
<button type="submit">Sign in</button>
</form>
</main>`,
  });

/** The second step, for who has a device that makes codes. */
export const renderCode = (clientName: string, { ticket, fault }: { ticket: string; fault?: string }): string =>
  renderPage({
    title: 'Your code – Parley',
    body: html`<main class="notice">
<h1>Your code</h1>
<p>${clientName} asks to be let in. Enter what your authenticator app shows, or a recovery code.</p>
${fault && html`<p class="problem" role="alert">${fault}</p>`}
<form method="post" class="entry">
<input type="hidden" name="decision" value="code">
<input type="hidden" name="ticket" value="${ticket}">
<p class="field"><label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" maxlength="64" autofocus required></p>
<button type="submit">Sign in</button>
</form>
</main>`,
  });
