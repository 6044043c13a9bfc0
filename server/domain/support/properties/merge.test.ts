import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Properties } from '#server/storage/tables/chats.ts';
import type { PropertyNames } from './definitions.ts';
import { entriesOf, mergeProperties, propertyOf, removeProperties } from './merge.ts';

// Few names, so that they collide, including some that every object inherits.
const names = fc.constantFrom('a', 'b', 'c', 'toString', 'constructor', 'length');
const values = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer(), { maxLength: 2 }));
const properties: fc.Arbitrary<Properties> = fc
  .dictionary(names, fc.dictionary(names, values, { minKeys: 1, noNullPrototype: true }), { noNullPrototype: true })
  .map((input) => input as Properties);
const chosen: fc.Arbitrary<PropertyNames> = fc.dictionary(names, fc.array(names, { maxLength: 4 }), {
  noNullPrototype: true,
});

const flat = (input: Properties): Map<string, unknown> =>
  new Map(entriesOf(input).map(([namespace, name, value]) => [`${namespace}.${name}`, value]));

describe('mergeProperties', () => {
  it('sets the given properties, keeps the others, and returns what changed', () => {
    fc.assert(
      fc.property(properties, properties, (old, input) => {
        const merged = mergeProperties(old, input);
        expect(flat(merged.properties)).toEqual(new Map([...flat(old), ...flat(input)]));
        expect(merged.count).toBe(flat(merged.properties).size);
        for (const [namespace, name, value] of entriesOf(input)) {
          const was = propertyOf(old, namespace, name);
          const isNew = JSON.stringify(was) !== JSON.stringify(value);
          expect(propertyOf(merged.changed, namespace, name)).toEqual(isNew ? value : undefined);
        }
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(properties, properties, (old, input) => {
        const { properties: once } = mergeProperties(old, input);
        expect(mergeProperties(once, input)).toMatchObject({ properties: once, changed: {} });
      }),
    );
  });
});

describe('removeProperties', () => {
  it('removes the given names and returns those that existed', () => {
    fc.assert(
      fc.property(properties, chosen, (old, input) => {
        const { properties: left, removed } = removeProperties(old, input);
        for (const [namespace, name, value] of entriesOf(old)) {
          const isNamed = Object.hasOwn(input, namespace) && input[namespace]!.includes(name);
          expect(propertyOf(left, namespace, name)).toEqual(isNamed ? undefined : value);
          expect(Object.hasOwn(removed, namespace) && removed[namespace]!.includes(name)).toBe(isNamed);
        }
        expect(flat(left).size + Object.values(removed).flat().length).toBe(flat(old).size);
        for (const own of Object.values(left)) expect(own).not.toEqual({});
      }),
    );
  });

  it('reverts a merge of new properties', () => {
    fc.assert(
      fc.property(properties, properties, (old, input) => {
        const { properties: apart } = removeProperties(old, namesOf(input));
        const { properties: merged } = mergeProperties(apart, input);
        expect(flat(removeProperties(merged, namesOf(input)).properties)).toEqual(flat(apart));
      }),
    );
  });
});

const namesOf = (input: Properties): PropertyNames =>
  Object.fromEntries(Object.entries(input).map(([namespace, own]) => [namespace, Object.keys(own)]));
