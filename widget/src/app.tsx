/** @jsxImportSource preact */
import { render } from 'preact';
import tokens from '../../browser/tokens.css?inline';
import css from './app.css?inline';
import { createWidget } from './chat/create-widget.ts';
import { directionOf, languageOf } from './chat/localization.ts';
import type { App, Core } from './core.ts';
import { GreetingCard } from './views/greeting.tsx';
import { Panel } from './views/panel.tsx';
import { WidgetContext } from './views/use-widget.ts';

const addSheets = (root: ShadowRoot, ...texts: string[]): void => {
  const sheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  root.adoptedStyleSheets = [...sheets, ...root.adoptedStyleSheets];
};

/** Applies the configured theme; `auto` follows the visitor's system. */
const followMode = ({ root, configuration }: Core): void => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const { theme } = configuration().appearance;
    (root.host as HTMLElement).dataset.mode = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme;
  };
  dark.addEventListener('change', apply);
  apply();
};

/** Renders the widget window. This chunk is loaded only when there is something to show. */
export const start = (core: Core): App => {
  addSheets(core.root, tokens, css);
  followMode(core);
  const widget = createWidget(core);
  const container = document.createElement('div');
  container.className = 'app';
  core.root.prepend(container);

  const draw = (): void => {
    const state = widget.store.get();
    const visibility = core.visibility();
    container.dir = directionOf(core);
    container.lang = languageOf(core);
    render(
      <WidgetContext.Provider value={widget}>
        {visibility === 'maximized' && <Panel state={state} />}
        {visibility === 'minimized' && <GreetingCard state={state} />}
      </WidgetContext.Provider>,
      container,
    );
  };
  widget.store.listen(draw);
  draw();
  return widget.app;
};
