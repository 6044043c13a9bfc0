import type { Static } from 'typebox';
import type { Appearance as WireAppearance, Button as WireButton } from '#contracts/customer/configuration.ts';
import type { Appearance, ChatButton } from '#server/domain/support/configuration/settings.ts';

export const presentAppearance = (appearance: Appearance): Static<typeof WireAppearance> => ({
  theme: appearance.theme,
  accent_color: appearance.accentColor,
  position: appearance.position,
  ...(appearance.logoUrl === '' ? {} : { logo_url: appearance.logoUrl }),
});

export const presentButton = ({ id, type, onlineValue, offlineValue }: ChatButton): Static<typeof WireButton> => ({
  id,
  type,
  online_value: onlineValue,
  offline_value: offlineValue,
});
