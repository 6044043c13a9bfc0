import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, prose } from './html.ts';

describe('html', () => {
  it('escapes everything that is not markup', () => {
    expect(html`<p title="${'"'}">${'<b>&'}${1}${undefined}${false}</p>`.text).toBe(
      '<p title="&quot;">&lt;b&gt;&amp;1</p>',
    );
  });

  it('keeps nested markup and lists', () => {
    expect(html`<ul>${['a', '<'].map((one) => html`<li>${one}</li>`)}</ul>`.text).toBe(
      '<ul><li>a</li><li>&lt;</li></ul>',
    );
  });

  it('never lets text open a tag or close an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(html`${text}`.text).not.toMatch(/[<>"']/);
        expect(prose(text).text.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>"']/);
      }),
    );
  });
});
