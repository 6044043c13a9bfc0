import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseHead } from './parse-head.ts';

const metaOf = (html: string) => Object.fromEntries(parseHead(html).meta);

it('reads title and meta tags in every notation', () => {
  const head = parseHead(`<!DOCTYPE html><HTML lang=en><head>
    <meta charset="windows-1251">
    <TITLE
      id=x>Tom &amp; Jerry <b>live</b></TiTlE >
    <meta name="description" content="It's > here">
    <META CONTENT='say "hi"' Property=og:title />
    <meta property = "og:image"content=/a/b.png>
    <meta/name="bare"/content=bare/>
    <meta name="Author" property="og:author" content="Ann" content="Bob">
    <meta name="empty" content>
    <meta name="nothing">
    <meta content="nobody">`);
  expect(head.title).toBe('Tom & Jerry <b>live</b>');
  expect(head.charset).toBe('windows-1251');
  expect(Object.fromEntries(head.meta)).toEqual({
    description: "It's > here",
    'og:title': 'say "hi"',
    'og:image': '/a/b.png',
    bare: 'bare/',
    author: 'Ann',
    'og:author': 'Ann',
    empty: '',
  });
});

it('uses the first of several tags with the same name', () => {
  expect(metaOf('<meta name=a content=1><meta name=A content=2>')).toEqual({ a: '1' });
  expect(parseHead('<title>first</title><title>second</title>').title).toBe('first');
});

it('ignores tags in comments, scripts, values and the body', () => {
  const hidden = '<meta name=hidden content=1><title>hidden</title>';
  for (const html of [
    `<!-- ${hidden} -->`,
    `<!-- ${hidden}`,
    `<script>"${hidden}"</script>`,
    `<STYLE>${hidden}</style>`,
    `<textarea>${hidden}`,
    `<a title="${hidden}">`,
    `<a title='${hidden}`,
    `</head><body>${hidden}`,
  ])
    expect(parseHead(html)).toEqual({ meta: new Map() });
  expect(parseHead(`<!--><title>shown</title>`).title).toBe('shown');
  expect(parseHead(`1 < 2 <3 <? php > <!x> </> <title>shown</title>`).title).toBe('shown');
});

it('finds the charset in an http-equiv tag', () => {
  const html = '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">';
  expect(parseHead(html).charset).toBe('Shift_JIS');
});

it('returns any title and content unchanged', () => {
  const encode = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (title, content) => {
      const head = parseHead(`<title>${encode(title)}</title><meta content="${encode(content)}" name=x>`);
      expect([head.title, head.meta.get('x')]).toEqual([title, content]);
    }),
  );
});

it('accepts any sequence of tags', () => {
  const piece = fc.constantFrom(
    ...['<', '>', '</', '/', '!', '--', '<!--', '-->', '"', "'", '=', ' ', '\n', '\0', '&', '&#', ';', '&#x110000;'],
    ...[
      '<meta ',
      'name',
      'content',
      '<title>',
      '</title',
      '<script',
      '</script>',
      '__proto__',
      'constructor',
      'é',
      '😀',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const { meta } = parseHead(pieces.join(''));
      expect(meta).toBeInstanceOf(Map);
    }),
  );
});

it.each([
  '<',
  '<<!',
  '<a',
  '<a ',
  '<meta ',
  '<meta name=',
  '<meta name="',
  "<meta name='a' content=\"",
  '<meta a=b ',
  '<meta name=a content=b>',
  '<!--',
  '<!-- -',
  '<!-->',
  '<script>',
  '<script></scrip',
  '<title>',
  '<title></title>',
  '</titl',
  '<a =',
  '<a /',
  '<a\n',
  ' ',
  '"',
  '&',
  '&#',
  '<meta charset ',
  '<meta http-equiv=content-type content="charset ">',
])('parses a megabyte of %j in linear time', (piece) => {
  const soup = piece.repeat((1024 * 1024) / piece.length);
  expect(parseHead(soup).meta).toBeInstanceOf(Map);
  expect(parseHead(`<title>${soup}</title><meta content='${soup}' http-equiv=content-type>`).meta).toBeInstanceOf(Map);
});

it('decodes entities and leaves unknown ones unchanged', () => {
  const titleOf = (html: string) => parseHead(`<title>${html}</title>`).title;
  expect(titleOf('&lt;b&gt; &quot;caf&eacute;&quot; &Eacute;&yuml;&nbsp;&mdash; &#8364;&#x1F600;&#X41;')).toBe(
    '<b> "café" Éÿ\u00a0— €😀A',
  );
  expect(titleOf('it&#146;s &#0;&#xd800;&#1114112;')).toBe('it’s \ufffd\ufffd\ufffd');
  expect(titleOf('a&b &unknown; &amp;lt; &constructor; &;')).toBe('a&b &unknown; &lt; &constructor; &;');
  expect(metaOf('<meta name=link content="?a=1&copy=2">')).toEqual({ link: '?a=1&copy=2' });
});
