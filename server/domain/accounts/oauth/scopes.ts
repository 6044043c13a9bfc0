import { type Actor, requireAgent } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';

export const areas = [
  ...(['agents', 'groups', 'archives', 'goals', 'greetings', 'canned_responses'] as const),
  ...(['tags', 'tickets', 'visitors', 'reports', 'webhooks'] as const),
] as const;
export type Area = (typeof areas)[number];
export type Scope = `${Area}_${'read' | 'write'}`;

export const allScopes: readonly Scope[] = areas.flatMap((area) => [`${area}_read`, `${area}_write`] as const);

/** Written with commas, spaces or both; each once, in our order. */
export const readScopes = (text: string): Scope[] => {
  const named = new Set(text.split(/[\s,]+/).filter(Boolean));
  for (const name of named)
    if (!allScopes.some((scope) => scope === name)) throw invalid('scope', `has no \`${name}\``);
  return allScopes.filter((scope) => named.has(scope));
};

/** Whoever comes with a token of a program may do what the program was let do; whoever comes in person, all. */
export const hasScope = (actor: Actor, scope: Scope): boolean =>
  actor.kind !== 'agent' || !actor.scopes || actor.scopes.includes(scope);

export const assertScope = (actor: Actor, ...needed: Scope[]): void => {
  const missing = needed.filter((scope) => !hasScope(actor, scope));
  if (missing.length > 0) throw new DomainError('forbidden', `The token lacks the scope ${missing.join(', ')}`);
};

/** What would give a program more than it was let do: keys, passwords, other programs. */
export const requireInPerson = (actor: Actor): void => {
  if (actor.kind !== 'system' && requireAgent(actor).scopes)
    throw new DomainError('forbidden', 'A program may not do this: sign in, or use an API key');
};
