import { type Actor, requireAgent } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';

export const areas = [
  ...(['agents', 'groups', 'archives', 'goals', 'greetings', 'canned_responses'] as const),
  ...(['tags', 'tickets', 'visitors', 'reports', 'webhooks'] as const),
] as const;
export type Area = (typeof areas)[number];
export type Scope = `${Area}_${'read' | 'write'}`;

export const allScopes: readonly Scope[] = areas.flatMap((area) => [`${area}_read`, `${area}_write`] as const);

/** Reads scopes separated by commas or spaces; returns each once, in our order. */
export const readScopes = (text: string): Scope[] => {
  const named = new Set(text.split(/[\s,]+/).filter(Boolean));
  for (const name of named)
    if (!allScopes.some((scope) => scope === name)) throw invalid('scope', `contains the unknown scope \`${name}\``);
  return allScopes.filter((scope) => named.has(scope));
};

/** Checks the scopes of an OAuth token. Agents who are signed in themselves need no scopes. */
export const hasScope = (actor: Actor, scope: Scope): boolean =>
  actor.kind !== 'agent' || !actor.scopes || actor.scopes.includes(scope);

export const assertScope = (actor: Actor, ...needed: Scope[]): void => {
  const missing = needed.filter((scope) => !hasScope(actor, scope));
  if (missing.length > 0) throw new DomainError('forbidden', `The token is missing the scope ${missing.join(', ')}`);
};

/** For operations that would extend a client's access, such as keys, passwords and other clients. */
export const rejectOauthTokens = (actor: Actor): void => {
  if (actor.kind !== 'system' && requireAgent(actor).scopes)
    throw new DomainError('forbidden', 'Not allowed with an OAuth token: sign in or use an API key');
};
