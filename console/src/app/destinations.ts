import type { IconName } from '../design/icon.tsx';
import { t } from '../i18n/t.ts';

export interface Destination {
  to: '/chats' | '/visitors' | '/archives' | '/tickets' | '/reports' | '/team' | '/settings';
  label: string;
  icon: IconName;
  /** Shown in the bottom bar on phones; the others are in the menu. */
  onPhone: boolean;
}

export const destinations: Destination[] = [
  { to: '/chats', label: t('chats'), icon: 'chats', onPhone: true },
  { to: '/visitors', label: t('visitors'), icon: 'visitors', onPhone: true },
  { to: '/archives', label: t('archives'), icon: 'archives', onPhone: true },
  { to: '/tickets', label: t('tickets'), icon: 'tickets', onPhone: true },
  { to: '/reports', label: t('reports'), icon: 'reports', onPhone: false },
  { to: '/team', label: t('team'), icon: 'team', onPhone: false },
  { to: '/settings', label: t('settings'), icon: 'settings', onPhone: false },
];
