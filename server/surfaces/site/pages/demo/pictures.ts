import { html, type Markup } from '../../layout/html.ts';

/** Inline drawings, so that the shop loads no external images. CSS classes set the colors. */
const frame = (content: Markup): Markup =>
  html`<svg viewBox="0 0 240 180" aria-hidden="true" focusable="false"><rect class="wall" width="240" height="180"/><rect class="floor" y="142" width="240" height="38"/>${content}</svg>`;

export const pictures = {
  lamp: frame(
    html`<path class="shade" d="M84 40h64l18 46H66z"/><path class="wood" d="M112 86h8v58h-8z"/><ellipse class="wood" cx="116" cy="147" rx="34" ry="7"/><circle class="glow" cx="116" cy="92" r="10"/>`,
  ),
  blanket: frame(
    html`<path class="wool" d="M48 96q72-34 144 0v44q-72 24-144 0z"/><path class="stripe" d="M48 106q72-34 144 0v8q-72-34-144 0zM48 124q72-34 144 0v8q-72-34-144 0z"/><path class="fringe" d="M56 146v12m16-10v12m16-8v12m16-11v12m16-11v12m16-12v12m16-14v12m16-14v12m16-16v12"/>`,
  ),
  chair: frame(
    html`<path class="wood" d="M76 36h10v108H76zM150 36h10v108h-10z"/><path class="wood" d="M76 44h84v12H76zM76 66h84v10H76z"/><path class="seat" d="M68 96h100l8 16H60z"/><path class="wood" d="M64 112h8v36h-8zM164 112h8v36h-8z"/>`,
  ),
  rug: frame(
    html`<path class="rug" d="M60 118h120l36 46H24z"/><path class="stripe" d="M72 126h96l20 26H52z"/><path class="rug" d="M84 131h72l11 15H73z"/>`,
  ),
  curtain: frame(
    html`<rect class="window" x="70" y="30" width="100" height="96"/><path class="pane" d="M118 30h4v96h-4zM70 76h100v4H70z"/><path class="linen" d="M52 26h44q-4 60-30 118H52zM188 26h-44q4 60 30 118h14z"/><rect class="wood" x="40" y="20" width="160" height="7" rx="3"/>`,
  ),
  vase: frame(
    html`<path class="clay" d="M100 78h36q-6 14 8 32 10 30-26 38-36-8-26-38 14-18 8-32z"/><path class="stem" d="M118 78q-4-34-26-48M118 78q2-36 26-52M118 78V24"/><circle class="petal" cx="92" cy="30" r="9"/><circle class="petal" cx="144" cy="26" r="9"/><circle class="petal" cx="118" cy="20" r="9"/>`,
  ),
} as const;

export type Picture = keyof typeof pictures;
