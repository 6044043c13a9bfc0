import type { registerOauthClient } from '#contracts/configuration/oauth.ts';
import type { BodyOf } from '#contracts/operation.ts';

export type Scope = BodyOf<typeof registerOauthClient>['scopes'][number];

/** What an app may ask for, by area. */
export const AREAS = [
  { area: 'agents', label: 'Agents' },
  { area: 'groups', label: 'Groups' },
  { area: 'archives', label: 'Chats and archive' },
  { area: 'goals', label: 'Goals' },
  { area: 'greetings', label: 'Greetings' },
  { area: 'canned_responses', label: 'Canned responses' },
  { area: 'tags', label: 'Tags' },
  { area: 'tickets', label: 'Tickets' },
  { area: 'visitors', label: 'Visitors' },
  { area: 'reports', label: 'Reports' },
  { area: 'webhooks', label: 'Webhooks' },
] as const;

/** `Tickets: read, change`. */
export const describeScopes = (scopes: readonly string[]): string =>
  AREAS.flatMap(({ area, label }) => {
    const may = [scopes.includes(`${area}_read`) && 'read', scopes.includes(`${area}_write`) && 'change'].filter(
      Boolean,
    );
    return may.length > 0 ? [`${label}: ${may.join(', ')}`] : [];
  }).join(' · ');
