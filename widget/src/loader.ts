import { readStorage } from '#browser/storage.ts';
import type { CachedConfiguration, Options, Shell } from './core.ts';
import { exposeApi } from './loader/api.ts';
import { drawBubble } from './loader/bubble.ts';

/** A custom element name, which the page's styles do not target. */
const TAG = 'parley-widget';

const readOptions = ({ src, dataset }: HTMLScriptElement): Options => ({
  organizationId: dataset.organization ?? '',
  groupId: Number(dataset.group ?? 0),
  base: new URL('.', src).href,
  language: dataset.lang,
  direction: dataset.dir,
});

/** Draws the bubble from cached configuration and loads the engine. */
const start = (options: Options, api: Shell['api']): void => {
  const host = document.createElement(TAG);
  const root = host.attachShadow({ mode: 'open' });
  document.body.append(host);
  const configurationKey = `parley_configuration_${options.organizationId}_${options.groupId}`;
  const cached = readStorage<CachedConfiguration>(configurationKey);
  const shell: Shell = {
    options,
    root,
    api,
    cached,
    configurationKey,
    pressed: false,
    onPress: () => {
      shell.pressed = true;
    },
    bubble: drawBubble(root, () => shell.onPress()),
  };
  if (cached) {
    shell.bubble.applyConfiguration(cached.content, cached.online);
    shell.bubble.show(!cached.hidden);
  }
  void import(/* @vite-ignore */ `${options.base}widget/${__ENGINE_FILE__}`)
    .then(({ run }) => run(shell))
    // Without a reachable server the page simply has no widget.
    .catch(() => {});
};

const script = document.currentScript ?? document.querySelector('script[data-organization]');
if (script && !document.querySelector(TAG)) {
  const options = readOptions(script as HTMLScriptElement);
  const api = exposeApi();
  if (document.body) start(options, api);
  else addEventListener('DOMContentLoaded', () => start(options, api));
}
