import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAnswers } from './check-answers.ts';
import type { Form } from './records.ts';

const colors = [
  { id: 'r', label: 'Red' },
  { id: 'g', label: 'Green' },
];
const form: Form = {
  id: 'f',
  fields: [
    { type: 'header', id: 'h', label: 'Welcome' },
    { type: 'name', id: 'name', label: 'Name', required: false },
    { type: 'email', id: 'mail', label: 'E-mail', required: true },
    { type: 'checkbox', id: 'many', label: 'Colors', required: false, options: colors },
    { type: 'radio', id: 'one', label: 'Color', required: false, options: colors },
    {
      type: 'group_chooser',
      id: 'group',
      label: 'Department',
      required: false,
      options: [{ id: 's', label: 'Sales', groupId: 1 }],
    },
    { type: 'rating', id: 'rating', label: 'How was it?', required: false, commentLabel: 'Why?' },
  ],
};
const mail = { type: 'email', id: 'mail', label: 'E-mail', answer: 'ada@shop.example' };
const problemsOf = (...fields: unknown[]): string[] =>
  checkAnswers(form, fields).map(({ field, message }) => `${field} ${message}`);

describe('a filled form', () => {
  it('is accepted with the required fields', () => {
    expect(problemsOf(mail)).toEqual([]);
  });

  it('is accepted with all fields', () => {
    expect(
      problemsOf(
        { type: 'header', id: 'h', label: 'Welcome' },
        { type: 'name', id: 'name', label: 'Name', answer: 'Ada 👟 שלום' },
        mail,
        { type: 'checkbox', id: 'many', label: 'Colors', answers: colors },
        { type: 'radio', id: 'one', label: 'Color', answer: colors[1] },
        { type: 'group_chooser', id: 'group', label: 'Department', answer: { id: 's', group_id: 1, label: 'Sales' } },
        { type: 'rating', id: 'rating', label: 'How was it?', answer: { id: 'good', label: 'Good' }, comment: 'Kind' },
      ),
    ).toEqual([]);
  });

  it('accepts option ids as numbers', () => {
    const numbered: Form = {
      id: 'f',
      fields: [{ type: 'select', id: '7', label: 'x', required: true, options: [{ id: '1', label: 'One' }] }],
    };
    expect(checkAnswers(numbered, [{ type: 'select', id: 7, answer: { id: 1, label: 'One' } }])).toEqual([]);
  });

  it('accepts missing, null and empty answers to optional fields', () => {
    for (const answer of [undefined, null, '', '  ']) {
      expect(problemsOf(mail, { type: 'name', id: 'name', answer }, { type: 'radio', id: 'one', answer })).toEqual([]);
      expect(problemsOf(mail, { type: 'rating', id: 'rating', answer, comment: answer })).toEqual([]);
    }
    for (const answers of [undefined, null, []]) {
      expect(problemsOf(mail, { type: 'checkbox', id: 'many', answers })).toEqual([]);
    }
  });

  it('is rejected without required fields', () => {
    expect(problemsOf()).toEqual(['fields.mail is required']);
    expect(problemsOf({ ...mail, answer: ' ' })).toEqual(['fields.mail is required']);
    const must: Form = {
      id: 'f',
      fields: [{ type: 'checkbox', id: 'many', label: 'x', required: true, options: colors }],
    };
    expect(checkAnswers(must, [{ type: 'checkbox', id: 'many', answers: [] }])).toHaveLength(1);
    expect(checkAnswers(must, [{ type: 'checkbox', id: 'many', answers: colors }])).toEqual([]);
  });

  const rejected: [why: string, field: unknown, problem: string][] = [
    ['another type', { type: 'name', id: 'one', answer: 'Ada' }, 'fields.one must be of type `radio`'],
    ['a number for a name', { type: 'name', id: 'name', answer: 7 }, 'fields.name must be a string'],
    [
      'a name too long',
      { type: 'name', id: 'name', answer: '👟'.repeat(201) },
      'fields.name must not exceed 200 characters',
    ],
    ['an unknown option', { type: 'radio', id: 'one', answer: { id: 'b' } }, 'fields.one must be one of the options'],
    [
      'a label instead of an option',
      { type: 'radio', id: 'one', answer: 'Red' },
      'fields.one must be one of the options',
    ],
    [
      'a group that is not an option',
      { type: 'group_chooser', id: 'group', answer: { id: 'x' } },
      'fields.group must be one of the options',
    ],
    [
      'a single checkbox instead of a list',
      { type: 'checkbox', id: 'many', answers: { id: 'r' } },
      'fields.many must be a list of options',
    ],
    [
      'a checkbox twice',
      { type: 'checkbox', id: 'many', answers: [colors[0], colors[0]] },
      'fields.many must not contain an option twice',
    ],
    [
      'an unknown checkbox',
      { type: 'checkbox', id: 'many', answers: [{ id: 'x' }] },
      'fields.many must be one of the options',
    ],
    ['stars', { type: 'rating', id: 'rating', answer: 5 }, 'fields.rating must be one of the options'],
    ['a field of another form', { type: 'name', id: '__proto__', answer: 'x' }, 'fields.1 is not a field of this form'],
    [
      'an id that is not a string',
      { type: 'name', id: { toString: 1 }, answer: 'x' },
      'fields.1 is not a field of this form',
    ],
    [
      'an option that is not a string',
      { type: 'radio', id: 'one', answer: { id: { toString: 1 } } },
      'fields.one must be one of the options',
    ],
    ['null instead of a field', null, 'fields.1 is not a field of this form'],
    ['an answer twice', mail, 'fields.mail must be answered only once'],
  ];
  for (const [why, field, problem] of rejected) {
    it(`is rejected: ${why}`, () => expect(problemsOf(mail, field)).toEqual([problem]));
  }

  it('is rejected without being read if it is too long', () => {
    expect(problemsOf(...Array(101).fill(null))).toEqual(['fields must not have more than 100 items']);
  });

  it('never throws, whatever is sent', () => {
    const field = fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom(...form.fields.map(({ type }) => type)),
        id: fc.constantFrom(...form.fields.map(({ id }) => id)),
        answer: fc.anything(),
        answers: fc.anything(),
        comment: fc.anything(),
      }),
    );
    fc.assert(fc.property(fc.array(field), (fields) => Array.isArray(checkAnswers(form, fields))));
  });
});
