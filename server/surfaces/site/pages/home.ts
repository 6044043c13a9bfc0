import type { SurfaceContract } from '#contracts/operation.ts';
import { html, prose } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';

export interface Installation {
  version: string;
  region: string;
  url: string;
  ready: boolean;
  /** Whether there is a demo shop. */
  demo: boolean;
  /** Whether visitors can sign up, at least with an invitation. */
  signUp: boolean;
  /** Whether outgoing emails are kept in the development outbox. */
  mail: boolean;
  contracts: readonly SurfaceContract[];
}

const card = ({ name, title, version, description, operations }: SurfaceContract) => html`
<li class="card">
<h3><a href="/docs/${name}">${title}</a></h3>
<p>${prose(description)}</p>
<p class="muted">v${version} · ${operations.length} operations · <a href="/docs/${name}/openapi.json">OpenAPI</a></p>
</li>`;

export const renderHome = ({ version, region, url, ready, demo, signUp, mail, contracts }: Installation): string =>
  renderPage({
    title: 'Parley',
    body: html`<main>
<h1>Support chat, on your own server</h1>
<p class="lead">Self-hosted live chat, tickets and a partner program.</p>
<p class="choices">
<a class="button" href="/console">Open console</a>
${demo && html`<a class="button plain" href="/demo">Visit demo shop</a>`}
${signUp && html`<a class="button plain" href="/signup">Start a trial</a>`}
</p>
${demo && html`<p class="muted">To sign in to the demo, open the link that the server printed in its terminal.</p>`}
<dl class="facts">
<div><dt>Status</dt><dd class="${ready ? 'good' : 'bad'}">${ready ? 'Ready' : 'Not ready'}</dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Region</dt><dd>${region}</dd></div>
<div><dt>URL</dt><dd>${url}</dd></div>
</dl>
<p class="muted">More: <a href="/products/mainchat">product overview</a> ${signUp && html`· <a href="/join">partner program</a> `}· <a href="/experts">experts</a></p>
<h2>APIs</h2>
<ul class="cards">${contracts.map(card)}</ul>
<h2>Operations</h2>
<ul class="links">
<li><a href="/health/live">/health/live</a> process is running</li>
<li><a href="/health/ready">/health/ready</a> server can handle requests</li>
<li><a href="/metrics">/metrics</a> Prometheus metrics</li>
${mail && html`<li><a href="/dev/mail">/dev/mail</a> outgoing emails, kept here because no mail server is configured</li>`}
</ul>
</main>`,
  });
