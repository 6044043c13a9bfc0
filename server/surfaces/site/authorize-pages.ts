import { html } from './html.ts';
import { renderPage } from './layout.ts';

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
<p>It asks to do this in ${question.organizationName}, in your name (${question.login}):</p>
<ul>${question.scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}</ul>
<p>You will be taken to <strong>${question.redirectHost}</strong>.</p>
<form method="post">
<input type="hidden" name="ticket" value="${question.ticket}">
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
<button type="submit" name="decision" value="sign_out">Use another account</button>
</form>
</main>`,
  });

export const renderSignIn = (clientName: string, fault: string | undefined): string =>
  renderPage({
    title: 'Sign in – Parley',
    body: html`<main class="notice">
<h1>Sign in</h1>
<p>${clientName} asks to be let in. Sign in to decide.</p>
${fault && html`<p class="bad" role="alert">${fault}</p>`}
<form method="post">
<input type="hidden" name="decision" value="sign_in">
<p><label>E-mail <input type="email" name="login" autocomplete="username" required></label></p>
<p><label>Password <input type="password" name="password" autocomplete="current-password" required></label></p>
<button type="submit">Sign in</button>
</form>
</main>`,
  });
