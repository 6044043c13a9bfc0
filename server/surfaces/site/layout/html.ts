/** Text that is already HTML. Everything else is escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | undefined | false | readonly Part[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const write = (part: Part): string => {
  if (part instanceof Markup) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
  return part.map(write).join('');
};

/** html`<p>${anything}</p>` */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(strings.reduce((text, string, at) => text + write(parts[at - 1]) + string));

/** Renders names in `backticks`, as descriptions in contracts have them, as code. */
export const prose = (text: string): Markup =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
