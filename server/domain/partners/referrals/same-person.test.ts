import { expect, it } from 'vitest';
import { isSamePerson } from './same-person.ts';

it.each([
  ['paula@shop.test', 'Paula@Shop.test'],
  ['paula+trial@shop.test', 'paula@shop.test'],
  ['p.a.ula@gmail.com', 'paula@gmail.com'],
  ['p.aula+x@googlemail.com', 'Paula@gmail.com '],
])('%s and %s are the same mailbox', (one, other) => {
  expect(isSamePerson(one, [null, other])).toBe(true);
  expect(isSamePerson(other, [one])).toBe(true);
});

it.each([
  ['p.aula@shop.test', 'paula@shop.test'],
  ['paula@gmail.com', 'paula@gmail.test'],
  ['paula@gmail.com', 'paul@gmail.com'],
])('%s and %s are different mailboxes', (one, other) => expect(isSamePerson(one, [other, null])).toBe(false));
