import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, prose } from './html.ts';

describe('html', () => {
  it('escapes whatever is not markup', () => {
    expect(html`<p title="${'"'}">${'<b>&'}${1}${undefined}${false}</p>`.text).toBe(
      '<p title="&quot;">&lt;b&gt;&amp;1</p>',
    );
  });

  it('keeps markup and lists of it', () => {
    expect(html`<ul>${['a', '<'].map((one) => html`<li>${one}</li>`)}</ul>`.text).toBe(
      '<ul><li>a</li><li>&lt;</li></ul>',
    );
  });

  it('lets no text open a tag or leave an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(html`${text}`.text).not.toMatch(/[<>"']/);
        expect(prose(text).text.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>"']/);
      }),
    );
  });
});
