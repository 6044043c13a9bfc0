import { defineProperty, type NewDefinition } from '#server/domain/support/properties/define-property.ts';
import type { TestOrganization } from './factories.ts';

type Rights = ('read' | 'write')[];

/** A property of the account's own, for agents and, as far as said, for customers; everywhere, of any type. */
export const buildProperty = (
  { scope }: TestOrganization,
  namespace: string,
  name: string,
  { customer = ['read', 'write'], ...rest }: Partial<NewDefinition> & { customer?: Rights } = {},
): Promise<void> => {
  const rights = { agent: ['read', 'write'] as Rights, customer };
  const access = { chat: rights, thread: rights, event: rights, license: rights, group: rights };
  return defineProperty(scope, { namespace, name, type: 'any', access, ...rest });
};
