/** @jsxImportSource preact */
import { render } from 'preact';
import tokens from '../../browser/tokens.css?inline';
import css from './app.css?inline';
import { createChatting } from './chat/chatting.ts';
import { directionOf, languageOf } from './chat/phrases.ts';
import type { App, Core } from './core.ts';
import { ChattingContext } from './views/context.ts';
import { GreetingCard } from './views/greeting.tsx';
import { Panel } from './views/panel.tsx';

const addSheets = (root: ShadowRoot, ...texts: string[]): void => {
  const sheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  root.adoptedStyleSheets = [...sheets, ...root.adoptedStyleSheets];
};

/** Light or dark, as the account wishes or the visitor’s system has it. */
const followMode = ({ root, configuration }: Core): void => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const { theme } = configuration().appearance;
    (root.host as HTMLElement).dataset.mode = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme;
  };
  dark.addEventListener('change', apply);
  apply();
};

/** The rest of the widget, loaded when there is something to show. */
export const start = (core: Core): App => {
  addSheets(core.root, tokens, css);
  followMode(core);
  const chatting = createChatting(core);
  const place = document.createElement('div');
  place.className = 'app';
  core.root.prepend(place);

  const draw = (): void => {
    const state = chatting.store.get();
    const visibility = core.visibility();
    place.dir = directionOf(core);
    place.lang = languageOf(core);
    render(
      <ChattingContext.Provider value={chatting}>
        {visibility === 'maximized' && <Panel state={state} />}
        {visibility === 'minimized' && <GreetingCard state={state} />}
      </ChattingContext.Provider>,
      place,
    );
  };
  chatting.store.listen(draw);
  draw();
  return chatting.app;
};
