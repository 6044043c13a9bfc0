import { requireAdministrator } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { builtInDefinitions } from './built-in.ts';
import type { PropertyDefinition } from './definitions.ts';

const MAX_DEFINITIONS = 1000;

export interface NewDefinition extends PropertyDefinition {
  /** The client id of the app that owns the property. */
  namespace: string;
  name: string;
}

/** Defines a property or changes its definition. Existing values stay unchanged. */
export const defineProperty = async (scope: OrganizationScope, input: NewDefinition): Promise<void> => {
  requireAdministrator(scope.actor);
  const { namespace, name, type, access, domain, range, maxLength } = input;
  if (builtInDefinitions.has(namespace)) throw invalid('namespace', 'must not be a built-in namespace');
  const definition = {
    type,
    access: JSON.stringify(access),
    domain: domain ? JSON.stringify(domain) : null,
    range: range ? JSON.stringify(range) : null,
    maxLength: maxLength ?? null,
  };
  await scope.transaction(async (tx) => {
    await tx
      .insert('propertyDefinitions', { namespace, name, ...definition, createdAt: tx.now() })
      .onConflict((conflict) => conflict.columns(['organizationId', 'namespace', 'name']).doUpdateSet(definition))
      .execute();
    const { count } = await tx
      .from('propertyDefinitions')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count > MAX_DEFINITIONS) throw new DomainError('limit_reached', 'Resource limit reached');
    tx.emit({ type: 'property_defined', organizationId: tx.organizationId, namespace, name });
  });
  // This process must not wait for its own event.
  scope.services.support.properties.refresh(scope.organizationId);
};
