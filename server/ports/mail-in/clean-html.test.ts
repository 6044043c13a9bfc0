import { describe, expect, it } from 'vitest';
import { cleanHtml, textOfHtml } from './clean-html.ts';

describe('HTML of an email', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="  java\nscript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="//evil.test">x</a>',
    '<iframe src="https://evil.test"></iframe>',
    '<form action="https://evil.test"><input name=a></form>',
    '<p style="background:url(https://evil.test)">x</p>',
    '<style>@import "https://evil.test"</style>',
    '<base href="https://evil.test">',
    '<meta http-equiv=refresh content="0;url=https://evil.test">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<div id="x" class="y" onclick="alert(1)" data-x="1">x</div>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<object data="https://evil.test"></object><embed src="https://evil.test">',
  ];
  for (const html of attacks)
    it(`is made safe: ${html.slice(0, 50)}`, () => {
      const clean = cleanHtml(html);
      const tags = [...clean.matchAll(/<[^>]*>/g)].map(([tag]) => tag).join('');
      expect(tags).not.toMatch(/script|on\w+=|javascript|data:|evil|<img|<svg|style|iframe|<form|<input|<base|<meta/i);
      expect(cleanHtml(clean)).toBe(clean);
    });

  it('keeps text, lists, tables and links to the web or to email addresses', () => {
    const html =
      '<p>See <a href="https://shop.test/?a=1&amp;b=2">this</a> or <a href="mailto:a@b.test">write</a></p><ul><li>one</li></ul>';
    expect(cleanHtml(html)).toBe(
      '<p>See <a href="https://shop.test/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">this</a> or <a href="mailto:a@b.test" rel="noopener noreferrer nofollow" target="_blank">write</a></p><ul><li>one</li></ul>',
    );
  });

  it('is converted to text', () => {
    const text = (html: string) => textOfHtml(cleanHtml(html));
    expect(text('<p>One\n  two</p><p>&lt;three&gt; &amp; caf&eacute;</p>')).toBe('One two\n<three> & café');
    expect(text('a<br>b<br/><br>c')).toBe('a\nb\n\nc');
    expect(text('<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>')).toBe('1\t2\n3');
    expect(text('<style>p{}</style><script>x</script>')).toBe('');
  });
});
