import type { KeptConfiguration, Options, Shell } from './core.ts';
import { recall } from './keep.ts';
import { offerApi } from './loader/api.ts';
import { drawBubble } from './loader/bubble.ts';

/** An element of our own name: no style of the page is meant for it. */
const TAG = 'parley-widget';

const readOptions = ({ src, dataset }: HTMLScriptElement): Options => ({
  organizationId: dataset.organization ?? '',
  groupId: Number(dataset.group ?? 0),
  base: new URL('.//', src).href,
  language: dataset.lang,
  direction: dataset.dir,
});

/** Draws what is known from the last page at once, and has the rest come. */
const begin = (options: Options, api: Shell['api']): void => {
  const host = document.createElement(TAG);
  const root = host.attachShadow({ mode: 'open' });
  document.body.append(host);
  const configurationKey = `parley_configuration_${options.organizationId}_${options.groupId}`;
  const kept = recall<KeptConfiguration>(configurationKey);
  const shell: Shell = {
    options,
    root,
    api,
    kept,
    configurationKey,
    pressed: false,
    onPress: () => {
      shell.pressed = true;
    },
    bubble: drawBubble(root, () => shell.onPress()),
  };
  if (kept) {
    shell.bubble.dress(kept.content, kept.online);
    shell.bubble.show(!kept.hidden);
  }
  void import(/* @vite-ignore */ `${options.base}widget/${__ENGINE_FILE__}`)
    .then(({ run }) => run(shell))
    // Where the server cannot be reached there is no chat; the page goes on as if nothing had been asked.
    .catch(() => {});
};

const script = document.currentScript ?? document.querySelector('script[data-organization]');
if (script && !document.querySelector(TAG)) {
  const options = readOptions(script as HTMLScriptElement);
  const api = offerApi();
  if (document.body) begin(options, api);
  else addEventListener('DOMContentLoaded', () => begin(options, api));
}
