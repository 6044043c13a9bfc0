import { html, type Markup } from '../../layout/html.ts';
import { pictures } from './pictures.ts';
import { type Product, products } from './products.ts';

export interface Shop {
  organizationId: string;
}

const frame = ({ organizationId }: Shop, title: string, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/demo/shop.css">
<script async src="/widget.js" data-organization="${organizationId}"></script>
</head>
<body>
<aside class="hint">This is a demo shop. Start a chat with the round button, and reply in the <a href="/console" target="_blank" rel="noopener">console</a> side by side.</aside>
<header>
<a class="name" href="/demo">Oak &amp; Wool</a>
<nav aria-label="Shop"><a href="/demo#things">Shop</a><a href="/demo#about">About</a><a href="/demo/basket">Basket</a></nav>
</header>
${body}
<footer id="about"><p><strong>Oak &amp; Wool</strong> makes well-crafted goods for the home. Our store is open on Saturdays from 10 am to 4 pm; chat until 2 pm.</p><p><a href="/">About this demo</a></p></footer>
</body>
</html>
`.text;

const tile = ({ slug, name, price, short }: Product): Markup => html`
<li><a href="/demo/things/${slug}">${pictures[slug]}<strong>${name}</strong><span>${short}</span><b>${price}</b></a></li>`;

export const renderShop = (shop: Shop): string =>
  frame(
    shop,
    'Oak & Wool',
    html`<main>
<section class="hero"><h1>Considered goods for your home</h1><p>Wood, wool and clay from workshops we know. Free shipping on orders over €60.</p></section>
<h2 id="things">Shop</h2>
<ul class="shelf">${products.map(tile)}</ul>
</main>`,
  );

export const renderProduct = (shop: Shop, { slug, name, price, short, text }: Product): string =>
  frame(
    shop,
    `${name} · Oak & Wool`,
    html`<main class="thing">
<div>${pictures[slug]}</div>
<div><p class="crumbs"><a href="/demo">All products</a></p><h1>${name}</h1><p>${short}</p><p class="price">${price}</p><p>${text}</p><p><a class="button" href="/demo/basket">Add to basket</a></p><p class="muted">Questions? Chat with us.</p></div>
</main>`,
  );

export const renderBasket = (shop: Shop): string =>
  frame(
    shop,
    'Basket · Oak & Wool',
    html`<main><h1>Your basket</h1><p>This demo shop doesn't sell anything; it shows how the chat works. Try sending a message.</p><p><a class="button" href="/demo">Continue shopping</a></p></main>`,
  );
