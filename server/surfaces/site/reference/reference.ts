import { type ApiResponse, type OpenApi, type OperationEntry, type Parameter, schemaOf } from '#contracts/openapi.ts';
import type { SecurityScheme } from '#contracts/operation.ts';
import { html, type Markup, prose } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';
import { curlExample } from './example.ts';
import { describeSchema, nameType, renderFields } from './schema-view.ts';

interface Entry {
  method: string;
  path: string;
  operation: OperationEntry;
}

const entriesOf = ({ paths }: OpenApi): Entry[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

const renderScheme = ({ scheme, description }: SecurityScheme): Markup => html`
<li><code>Authorization: ${scheme === 'basic' ? 'Basic base64(login:api_key)' : 'Bearer <token>'}</code>
${description && html`<span class="meaning">${prose(description)}</span>`}</li>`;

const renderMethod = (method: string): Markup => html`<span class="method ${method}">${method.toUpperCase()}</span>`;

const renderContents = (entries: Entry[]): Markup => {
  const groups = Map.groupBy(entries, ({ operation }) => operation.tags?.[0] ?? '');
  return html`${[...groups].map(
    ([tag, group]) => html`
${tag !== '' && html`<h3>${tag}</h3>`}
<ul>${group.map(
      ({ method, operation }) => html`
<li><a href="#${operation.operationId}">${renderMethod(method)} <span>${operation.operationId}</span></a></li>`,
    )}</ul>`,
  )}`;
};

const renderParameters = (parameters: Parameter[]): Markup => html`
<h4>Parameters</h4>
<div class="scroll"><table>
<thead><tr><th>Name</th><th>In</th><th>Type and meaning</th></tr></thead>
<tbody>${parameters.map(
  ({ name, in: location, required, description, schema }) => html`
<tr><td><code class="name">${name}</code> ${required && html`<span class="required">required</span>`}</td>
<td>${location}</td>
<td>${describeSchema({ ...schema, ...(description ? { description } : {}) })}</td></tr>`,
)}</tbody>
</table></div>`;

const renderBody = ({ requestBody }: OperationEntry): Markup | undefined => {
  const schema = schemaOf(requestBody?.content);
  return (
    schema &&
    html`<h4>Body</h4>${renderFields(schema) ?? html`<p class="muted">${nameType(schema)} without properties.</p>`}`
  );
};

const renderAnswer = (status: string, { description, content }: ApiResponse): Markup => {
  const schema = schemaOf(content);
  if (!schema) return html`<p><span class="status">${status}</span> ${description}, no body</p>`;
  const fields = renderFields(schema);
  const line = html`<span class="status">${status}</span> ${description}: <span class="type">${nameType(schema)}</span>`;
  return fields ? html`<details><summary>${line}</summary>${fields}</details>` : html`<p>${line}</p>`;
};

const renderAnswers = ({ responses }: OperationEntry): Markup => {
  const all = Object.entries(responses);
  const failures = all.filter(([, answer]) => '$ref' in answer).map(([status]) => status);
  return html`<h4>Responses</h4>
${all.map(([status, answer]) => ('$ref' in answer ? undefined : renderAnswer(status, answer)))}
${failures.length > 0 && html`<p class="muted">Errors: <a href="#errors">${failures.join(', ')}</a></p>`}`;
};

const renderOperation = (document: OpenApi, base: string, { method, path, operation }: Entry): Markup => html`
<section class="operation" id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${operation.operationId}</a></h3>
<p class="address">${renderMethod(method)} <code>${path}</code>${operation.security && html` <span class="muted">no authentication required</span>`}</p>
<p>${prose(operation.summary)}.</p>
${operation.description?.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${operation.parameters.length > 0 && renderParameters(operation.parameters)}
${renderBody(operation)}
${renderAnswers(operation)}
<pre><code>${curlExample(document, base, method, path, operation)}</code></pre>
</section>`;

const renderErrors = ({ components }: OpenApi): Markup => html`
<section id="errors"><h2>Errors</h2>
<p>Every error response has this body:</p>
${renderFields(components.schemas.Error)}
<div class="scroll"><table><thead><tr><th>Status</th><th>Meaning</th></tr></thead><tbody>${Object.entries(
  components.responses,
).map(
  ([name, { description }]) => html`
<tr><td><span class="status">${name.replace('Error', '')}</span></td><td>${description}</td></tr>`,
)}</tbody></table></div>
</section>`;

/** The reference page of an API, generated from its OpenAPI document. */
export const renderReference = (name: string, document: OpenApi, base: string): string => {
  const entries = entriesOf(document);
  const { title, version, description } = document.info;
  return renderPage({
    title: `${title} – Parley`,
    wide: true,
    body: html`<div class="reference">
<header>
<h1>${title}</h1>
<p class="lead">${prose(description)}</p>
<p class="muted">Version ${version} · base URL <code>${base}</code> · <a href="/docs/${name}/openapi.json">OpenAPI document</a></p>
<h2>Authentication</h2>
<ul class="schemes">${Object.values(document.components.securitySchemes).map(renderScheme)}</ul>
</header>
<nav class="contents" aria-label="Operations">
<h2>Contents</h2>
${renderContents(entries)}
<ul><li><a href="#errors">Errors</a></li></ul>
</nav>
<main>
<h2>Operations</h2>
${entries.map((entry) => renderOperation(document, base, entry))}
${renderErrors(document)}
</main></div>`,
  });
};
