import type { Operation } from '#contracts/operation.ts';
import { type Area, areas, type Scope, scopeOf } from '#server/domain/accounts/oauth/scopes.ts';

/** Paths of the operations API whose first part is not the name of an area. */
const areasOfPaths: Record<string, Area> = { chats: 'archives', status: 'groups' };

/** What a program needs for an operation of the operations API. */
export const scopeOfPath = ({ method, path }: Pick<Operation, 'method' | 'path'>): Scope => {
  const first = path.split('/')[1]!;
  const area = areas.find((one) => one === first) ?? areasOfPaths[first];
  if (!area) throw new Error(`No scope for ${path}: add its area to server/surfaces/chat-v3/needed-scopes.ts`);
  return scopeOf(area, method === 'GET');
};

/** The first name that occurs in that of an operation tells its area; what is about chats is about archives. */
const areasOfNames: [RegExp, Area][] = [
  [/webhook/, 'webhooks'],
  [/ticket/, 'tickets'],
  [/customer/, 'visitors'],
  [/bot|agents_for|logout_agent|routing_status|away/, 'agents'],
  [/group_|routing|trusted_domains/, 'groups'],
];

/** The same for the agents' and the configuration API. A socket hears of chats and of customers. */
export const scopesOfAction = ({ name, reads }: { name: string; reads?: true | undefined }): Scope[] => {
  if (name === 'login') return ['archives_read', 'visitors_read'];
  const area = areasOfNames.find(([pattern]) => pattern.test(name))?.[1] ?? 'archives';
  return [scopeOf(area, reads ?? false)];
};
