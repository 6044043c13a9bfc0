import { html, type Markup } from './html.ts';

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%230d8a72' d='M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H15l-8 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'/%3E%3C/svg%3E";

export interface Page {
  title: string;
  body: Markup;
  /** Uses the full width of the window, as reference pages do. */
  wide?: boolean;
}

/** All pages share one stylesheet and use no scripts. */
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

interface PageLink {
  href: string;
  text: string;
}

const HOME_LINK: PageLink = { href: '/', text: 'Go to start page' };
export const CONSOLE_LINK: PageLink = { href: '/console', text: 'Open console' };

export const renderNotice = (title: string, text: string, { href, text: label }: PageLink = HOME_LINK): string =>
  renderPage({
    title: `${title} – Parley`,
    body: html`<main class="notice"><h1>${title}</h1><p>${text}</p><p><a href="${href}">${label}</a></p></main>`,
  });
