import type { registerOauthClient } from '#contracts/configuration/oauth.ts';
import type { BodyOf } from '#contracts/operation.ts';
import { t } from '../t.ts';

export type Scope = BodyOf<typeof registerOauthClient>['scopes'][number];

/** OAuth scopes by area. */
export const AREAS = [
  { area: 'agents', label: t('agents') },
  { area: 'groups', label: t('groups') },
  { area: 'archives', label: t('chatsAndArchives') },
  { area: 'goals', label: t('goals') },
  { area: 'greetings', label: t('greetings') },
  { area: 'canned_responses', label: t('cannedResponses') },
  { area: 'tags', label: t('tags') },
  { area: 'tickets', label: t('tickets') },
  { area: 'visitors', label: t('visitors') },
  { area: 'reports', label: t('reports') },
  { area: 'webhooks', label: t('webhooks') },
] as const;

/** For example `Tickets: read, write`. */
export const describeScopes = (scopes: readonly string[]): string =>
  AREAS.flatMap(({ area, label }) => {
    const [canRead, canWrite] = [scopes.includes(`${area}_read`), scopes.includes(`${area}_write`)];
    if (canRead && canWrite) return [t('scope.readWrite', { area: label })];
    if (canRead) return [t('scope.read', { area: label })];
    return canWrite ? [t('scope.write', { area: label })] : [];
  }).join(' · ');
