import { describe, expect, it } from 'vitest';
import { plainTextOf } from './plain-text.ts';

const rich = (...elements: unknown[]) => plainTextOf({ type: 'rich_message', templateId: 'cards', elements });

describe('the text of an event', () => {
  it('is the text of a message', () => {
    expect(plainTextOf({ type: 'message', text: 'Hello' })).toBe('Hello');
  });

  it('is made of titles, subtitles and buttons of a rich message', () => {
    const card = { title: 'Shoes', subtitle: 'Red', buttons: [{ text: 'Buy', postback_id: 'b' }] };
    expect(rich(card, { title: 'Boots', subtitle: null, buttons: null })).toBe('Shoes\nRed\nBuy\nBoots');
  });

  it('is the URL of an image without other text', () => {
    expect(rich({ image: { url: 'https://shop.test/a.png' } }, { title: 'Boots', image: { url: 'x' } })).toBe(
      'https://shop.test/a.png\nBoots',
    );
  });

  it('is empty for events without text', () => {
    expect([rich({}), plainTextOf({ type: 'custom', content: {} })]).toEqual([undefined, undefined]);
  });
});
