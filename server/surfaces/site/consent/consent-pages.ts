import { html } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';

/** Describes a scope on the consent page. */
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
  /** CSRF token. */
  ticket: string;
}

export const renderQuestion = (question: Question): string =>
  renderPage({
    title: `Authorize ${question.clientName}? – Parley`,
    body: html`<main class="notice">
<h1>Authorize ${question.clientName}?</h1>
<p>${question.clientName} requests access to <strong>${question.organizationName}</strong> on behalf of ${question.login}:</p>
<ul class="asked">${question.scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}</ul>
<p>You'll be redirected to <strong>${question.redirectHost}</strong>.</p>
<form method="post" class="choices">
<input type="hidden" name="ticket" value="${question.ticket}">
<button type="submit" name="decision" value="allow">Authorize</button>
<button type="submit" name="decision" value="deny" class="plain">Cancel</button>
<button type="submit" name="decision" value="sign_out" class="aside">Use another account</button>
</form>
</main>`,
  });

export const renderSignIn = (clientName: string, { login, error }: { login: string; error?: string }): string =>
  renderPage({
    title: 'Sign in – Parley',
    body: html`<main class="notice">
<h1>Sign in</h1>
<p>Sign in to authorize ${clientName}.</p>
${error && html`<p class="problem" role="alert">${error}</p>`}
<form method="post" class="entry">
<input type="hidden" name="decision" value="sign_in">
<p class="field"><label for="login">Email</label>
<input id="login" type="email" name="login" value="${login}" autocomplete="username" required></p>
<p class="field"><label for="password">Password</label>
<input id="password" type="password" name="password" autocomplete="current-password" required></p>
<button type="submit">Sign in</button>
</form>
</main>`,
  });

export const renderCode = (clientName: string, { ticket, error }: { ticket: string; error?: string }): string =>
  renderPage({
    title: 'Two-step verification – Parley',
    body: html`<main class="notice">
<h1>Two-step verification</h1>
<p>Enter the code from your authenticator app or a recovery code to authorize ${clientName}.</p>
${error && html`<p class="problem" role="alert">${error}</p>`}
<form method="post" class="entry">
<input type="hidden" name="decision" value="code">
<input type="hidden" name="ticket" value="${ticket}">
<p class="field"><label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" maxlength="64" autofocus required></p>
<button type="submit">Sign in</button>
</form>
</main>`,
  });
