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
  /** Where mails can be read when there is no mail server. */
  mail: boolean;
  contracts: readonly SurfaceContract[];
}

const card = ({ name, title, version, description, operations }: SurfaceContract) => html`
<li class="card">
<h3><a href="/docs/${name}">${title}</a></h3>
<p>${prose(description)}</p>
<p class="quiet">v${version} · ${operations.length} operations · <a href="/docs/${name}/openapi.json">OpenAPI</a></p>
</li>`;

export const renderHome = ({ version, region, url, ready, demo, mail, contracts }: Installation): string =>
  renderPage({
    title: 'Parley',
    body: html`<main>
<h1>Support chat, on your own server</h1>
<p class="lead">Parley runs here: live chat between visitors and agents, and the partner programme that goes with it.</p>
<p class="choices">
<a class="button" href="/console">Open the agent console</a>
${demo && html`<a class="button plain" href="/demo">Visit the demo shop</a>`}
</p>
${demo && html`<p class="quiet">The terminal in which the server was started shows how to sign in.</p>`}
<dl class="facts">
<div><dt>Status</dt><dd class="${ready ? 'good' : 'bad'}">${ready ? 'Ready' : 'Not ready'}</dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Region</dt><dd>${region}</dd></div>
<div><dt>Address</dt><dd>${url}</dd></div>
</dl>
<h2>APIs</h2>
<ul class="cards">${contracts.map(card)}</ul>
<h2>Running it</h2>
<ul class="links">
<li><a href="/health/live">/health/live</a> the process runs</li>
<li><a href="/health/ready">/health/ready</a> it can take requests</li>
<li><a href="/metrics">/metrics</a> numbers for Prometheus</li>
${mail && html`<li><a href="/dev/mail">/dev/mail</a> mails that were not sent, because no mail server is set</li>`}
</ul>
</main>`,
  });
