import type { getGroupWidget } from '#contracts/configuration/widget.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { collectErrors, type FieldErrors, required } from '../../../editing/field-errors.ts';
import { t } from '../t.ts';
import { isColor } from './colors.ts';

export type Widget = ResponseOf<typeof getGroupWidget>;

export interface WidgetDraft {
  theme: 'light' | 'dark' | 'auto';
  accent_color: string;
  position: 'left' | 'right';
  logo_url: string;
  online: string;
  offline: string;
  own: Record<string, string>;
}

export const readWidget = ({ appearance, buttons, phrases, language }: Widget): WidgetDraft => {
  const { theme, accent_color, position, logo_url = '' } = appearance;
  const button = buttons.find(({ type }) => type === 'text');
  return {
    ...{ theme, accent_color, position, logo_url },
    online: button?.online_value ?? '',
    offline: button?.offline_value ?? '',
    own: phrases[language] ?? {},
  };
};

export const checkWidget = ({ accent_color, logo_url, online, offline }: WidgetDraft): FieldErrors =>
  collectErrors({
    accent_color: !isColor(accent_color) && t('enterAColorAsRrggbb'),
    logo_url:
      logo_url.trim() !== '' &&
      !/^https?:$/.test(URL.parse(logo_url.trim())?.protocol ?? '') &&
      t('enterAURLThatStarts'),
    online: required(online),
    offline: required(offline),
  });

/** Unchanged buttons are not sent, so the defaults keep following the language. */
export const writeWidget = (widget: Widget, draft: WidgetDraft) => {
  const { theme, accent_color, position, logo_url, online, offline, own } = draft;
  const before = readWidget(widget);
  const isOther = before.online !== online || before.offline !== offline;
  const first = widget.buttons.findIndex(({ type }) => type === 'text');
  const button = { online_value: online.trim(), offline_value: offline.trim() };
  const buttons =
    first === -1
      ? [...widget.buttons, { id: 'default', type: 'text' as const, ...button }]
      : widget.buttons.map((one, index) => (index === first ? { ...one, ...button } : one));
  return {
    group_id: widget.group_id,
    appearance: { theme, accent_color, position, logo_url: logo_url.trim() || null },
    phrases: { [widget.language]: own },
    ...(isOther ? { buttons } : {}),
  };
};
