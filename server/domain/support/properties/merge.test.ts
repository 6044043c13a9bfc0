import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Properties } from '#server/storage/tables/chats.ts';
import type { PropertyNames } from './definitions.ts';
import { entriesOf, mergeProperties, propertyOf, removeProperties } from './merge.ts';

// Few names, so that they meet; some that every object has anyway.
const names = fc.constantFrom('a', 'b', 'c', 'toString', 'constructor', 'length');
const values = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer(), { maxLength: 2 }));
const properties: fc.Arbitrary<Properties> = fc
  .dictionary(names, fc.dictionary(names, values, { minKeys: 1, noNullPrototype: true }), { noNullPrototype: true })
  .map((given) => given as Properties);
const chosen: fc.Arbitrary<PropertyNames> = fc.dictionary(names, fc.array(names, { maxLength: 4 }), {
  noNullPrototype: true,
});

const flat = (given: Properties): Map<string, unknown> =>
  new Map(entriesOf(given).map(([namespace, name, value]) => [`${namespace}.${name}`, value]));

describe('mergeProperties', () => {
  it('sets given properties, keeps the others, and returns what changed', () => {
    fc.assert(
      fc.property(properties, properties, (old, given) => {
        const merged = mergeProperties(old, given);
        expect(flat(merged.properties)).toEqual(new Map([...flat(old), ...flat(given)]));
        expect(merged.count).toBe(flat(merged.properties).size);
        for (const [namespace, name, value] of entriesOf(given)) {
          const was = propertyOf(old, namespace, name);
          const isNew = JSON.stringify(was) !== JSON.stringify(value);
          expect(propertyOf(merged.changed, namespace, name)).toEqual(isNew ? value : undefined);
        }
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(properties, properties, (old, given) => {
        const { properties: once } = mergeProperties(old, given);
        expect(mergeProperties(once, given)).toMatchObject({ properties: once, changed: {} });
      }),
    );
  });
});

describe('removeProperties', () => {
  it('removes the given names and returns those that existed', () => {
    fc.assert(
      fc.property(properties, chosen, (old, given) => {
        const { properties: left, removed } = removeProperties(old, given);
        for (const [namespace, name, value] of entriesOf(old)) {
          const isNamed = Object.hasOwn(given, namespace) && given[namespace]!.includes(name);
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
      fc.property(properties, properties, (old, given) => {
        const { properties: apart } = removeProperties(old, namesOf(given));
        const { properties: merged } = mergeProperties(apart, given);
        expect(flat(removeProperties(merged, namesOf(given)).properties)).toEqual(flat(apart));
      }),
    );
  });
});

const namesOf = (given: Properties): PropertyNames =>
  Object.fromEntries(Object.entries(given).map(([namespace, own]) => [namespace, Object.keys(own)]));
