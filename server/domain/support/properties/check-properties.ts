import type { Properties } from '#server/storage/tables/chats.ts';
import type { PropertyLocation } from '#server/storage/tables/properties.ts';
import type { Actor } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import { allows, audienceOf, type Definitions, type PropertyDefinition, type PropertyNames } from './definitions.ts';
import { entriesOf, mergeProperties } from './merge.ts';

const MAX_PROPERTIES = 100;
const MAX_VALUE_BYTES = 4096;
const MAX_DEPTH = 3;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const isOfType: Record<PropertyDefinition['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  int: Number.isSafeInteger,
  bool: (value) => typeof value === 'boolean',
  any: (value) => value !== null && value !== undefined,
};

/** Returns why a value is invalid. */
export const propertyError = (definition: PropertyDefinition, value: unknown): string | undefined => {
  const { type, domain, range = {}, maxLength = Number.POSITIVE_INFINITY } = definition;
  if (!isOfType[type](value)) return type === 'any' ? 'must have a value' : `must be of the type ${type}`;
  if (domain && !domain.some((one) => one === value)) return `must be one of: ${domain.join(', ')}`;
  if (typeof value === 'string' && value.length > maxLength) return `must not have more than ${maxLength} characters`;
  if (typeof value === 'number' && value < (range.from ?? value)) return `must be at least ${range.from}`;
  if (typeof value === 'number' && value > (range.to ?? value)) return `must be at most ${range.to}`;
  if (depthOf(value) > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Buffer.byteLength(text) > MAX_VALUE_BYTES ? `must not be larger than ${MAX_VALUE_BYTES} bytes` : undefined;
};

const forbidden = (): DomainError => new DomainError('forbidden', 'You do not have permission to write this property');

/** Customers must not learn whether a property exists that they cannot write. */
const assertWritable = (
  actor: Actor,
  location: PropertyLocation,
  definition: PropertyDefinition | undefined,
  path: string,
): PropertyDefinition => {
  const audience = audienceOf(actor);
  if (definition && allows(definition, location, audience, 'write')) return definition;
  if (audience === 'agent' && !definition?.access[location]) throw invalid(path, `is not defined for a ${location}`);
  throw forbidden();
};

/** Checks that these properties are defined, writable for the actor, and have valid values. */
export const checkProperties = (
  definitions: Definitions,
  actor: Actor,
  location: PropertyLocation,
  input: Properties,
): void => {
  for (const [namespace, name, value] of entriesOf(input)) {
    const path = `properties.${namespace}.${name}`;
    const definition = assertWritable(actor, location, definitions.get(namespace)?.get(name), path);
    const problem = propertyError(definition, value);
    if (problem) throw invalid(path, problem);
  }
};

/** Agents may also delete properties that are no longer defined. */
export const checkNames = (
  definitions: Definitions,
  actor: Actor,
  location: PropertyLocation,
  input: PropertyNames,
): void => {
  const audience = audienceOf(actor);
  for (const [namespace, names] of Object.entries(input)) {
    for (const name of names) {
      const definition = definitions.get(namespace)?.get(name);
      const isLeftover = audience === 'agent' && !definition?.access[location];
      if (!isLeftover && !allows(definition, location, audience, 'write')) throw forbidden();
    }
  }
};

/** Merges properties and checks their number. */
export const mergeWithinLimit = (old: Properties, input: Properties): ReturnType<typeof mergeProperties> => {
  const merged = mergeProperties(old, input);
  if (merged.count > MAX_PROPERTIES) throw new DomainError('limit_reached', 'Resource limit reached');
  return merged;
};
