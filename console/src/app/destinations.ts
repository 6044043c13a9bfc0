import type { IconName } from '../design/icon.tsx';

export interface Destination {
  to: '/chats' | '/visitors' | '/archives' | '/tickets' | '/reports' | '/team' | '/settings';
  label: string;
  icon: IconName;
  /** Has a place in the bar at the foot of a phone; the others are in the menu. */
  onPhone: boolean;
}

export const destinations: Destination[] = [
  { to: '/chats', label: 'Chats', icon: 'chats', onPhone: true },
  { to: '/visitors', label: 'Visitors', icon: 'visitors', onPhone: true },
  { to: '/archives', label: 'Archives', icon: 'archives', onPhone: true },
  { to: '/tickets', label: 'Tickets', icon: 'tickets', onPhone: true },
  { to: '/reports', label: 'Reports', icon: 'reports', onPhone: false },
  { to: '/team', label: 'Team', icon: 'team', onPhone: false },
  { to: '/settings', label: 'Settings', icon: 'settings', onPhone: false },
];
