import { describe, expect, it } from 'vitest';
import { checkWidget, readWidget, type Widget, writeWidget } from './widget-draft.ts';

const widget: Widget = {
  group_id: 3,
  language: 'en',
  languages: ['en', 'de'],
  appearance: { theme: 'auto', accent_color: '#0b6bcb', position: 'right' },
  buttons: [
    { id: 'pic', type: 'image', online_value: 'https://a.example/1.png', offline_value: 'https://a.example/0.png' },
    { id: 'default', type: 'text', online_value: 'Chat', offline_value: 'Write' },
  ],
  phrases: { en: { Send: 'Go' }, de: { Send: 'Los' } },
  default_phrases: { Send: 'Send' },
};

describe('widget draft', () => {
  it('keeps buttons and other languages', () => {
    const draft = { ...readWidget(widget), theme: 'dark' as const };
    expect(writeWidget(widget, draft)).toEqual({
      group_id: 3,
      appearance: { theme: 'dark', accent_color: '#0b6bcb', position: 'right', logo_url: null },
      phrases: { en: { Send: 'Go' } },
    });
  });

  it('changes the label of the text button', () => {
    const { buttons } = writeWidget(widget, { ...readWidget(widget), online: ' Talk ' });
    expect(buttons).toEqual([widget.buttons[0], { ...widget.buttons[1], online_value: 'Talk' }]);
  });

  it('is validated before saving', () => {
    const draft = { ...readWidget(widget), accent_color: 'red', logo_url: 'javascript:alert(1)', online: '' };
    expect(Object.keys(checkWidget(draft))).toEqual(['accent_color', 'logo_url', 'online']);
    expect(checkWidget(readWidget(widget))).toEqual({});
  });
});
