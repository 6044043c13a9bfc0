import { defineProperty, type NewDefinition } from '#server/domain/support/properties/define-property.ts';
import type { TestOrganization } from './factories.ts';

type Rights = ('read' | 'write')[];

/** Defines a custom property of any type at all locations, with access for agents and, as given, for customers. */
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
