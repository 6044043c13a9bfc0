import { contrastColor } from '#browser/contrast-color.ts';
import type { Configuration } from '#contracts/customer/configuration.ts';
import type { Bubble } from '../core.ts';
import css from './bubble.css?inline';

const SVG = 'http://www.w3.org/2000/svg';
const OPEN = 'M12 3C6 3 2 7 2 11c0 3 1 5 4 7l-1 4 4-3h3c6 0 10-4 10-8s-4-8-10-8z';
const CLOSE = 'M6 8l6 6 6-6 1 2-7 7-7-7z';

const draw = (parent: Node, name: string, attributes: Record<string, string>): Element => {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]!);
  parent.appendChild(element);
  return element;
};

export const drawBubble = (root: ShadowRoot, onPress: () => void): Bubble => {
  const host = root.host as HTMLElement;
  // Constructed style sheets are not subject to the page's content security policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement('button');
  const badge = document.createElement('span');
  button.className = 'bubble';
  button.type = 'button';
  button.hidden = badge.hidden = true;
  button.onclick = onPress;
  const path = draw(draw(button, 'svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }), 'path', { d: OPEN });
  button.append(badge);
  root.append(button);
  let unread = 0;
  const name = (): void => {
    button.ariaLabel = unread ? `${button.title} (${unread})` : button.title;
  };
  return {
    show: (visible) => {
      button.hidden = !visible;
    },
    setOpen: (open) => {
      path.setAttribute('d', open ? CLOSE : OPEN);
      button.ariaExpanded = String(open);
    },
    setUnread: (count) => {
      unread = count;
      badge.hidden = !count;
      badge.textContent = count > 9 ? '9+' : String(count);
      name();
    },
    focus: () => button.focus(),
    applyConfiguration: ({ appearance, buttons: [words] }: Configuration, online) => {
      host.dataset.side = appearance.position;
      host.style.setProperty('--accent', appearance.accent_color);
      host.style.setProperty('--on-accent', contrastColor(appearance.accent_color));
      button.title = words?.type === 'text' ? words[online ? 'online_value' : 'offline_value'] : 'Chat';
      name();
    },
  };
};
