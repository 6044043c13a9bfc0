import { html, type Markup } from './html.ts';

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%230d8a72' d='M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H15l-8 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'/%3E%3C/svg%3E";

export interface Page {
  title: string;
  body: Markup;
  /** A page of reference uses the width of the window. */
  wide?: boolean;
}

/** Every page has the same frame: one stylesheet, no script. */
export const renderPage = ({ title, body, wide }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/site.css">
</head>
<body${wide ? html` class="wide"` : undefined}>
<header class="top"><a class="brand" href="/">Parley</a></header>
${body}
</body>
</html>
`.text;

export const renderNotice = (title: string, text: string): string =>
  renderPage({
    title,
    body: html`<main class="notice"><h1>${title}</h1><p>${text}</p><p><a href="/">Start page</a></p></main>`,
  });
