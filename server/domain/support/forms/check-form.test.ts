import { describe, expect, it } from 'vitest';
import { languages } from '../localization/phrases.ts';
import { checkForm } from './check-form.ts';
import { defaultFormSetting } from './defaults.ts';
import type { FormField, FormType } from './records.ts';

const types: FormType[] = ['prechat', 'postchat', 'ticket'];
const problemsOf = (fields: FormField[], type: FormType = 'prechat'): string[] =>
  checkForm(type, { id: 'f', fields }).map(({ field }) => field);
const text = (id: string, more: Partial<FormField> = {}): FormField =>
  ({ type: 'question', id, label: 'Why?', required: false, ...more }) as FormField;
const options = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}`, label: `${index}` }));

describe('a default form', () => {
  for (const type of types) {
    it(`for ${type} has its default fields in order in every language`, () => {
      for (const language of languages) {
        const { enabled, form } = defaultFormSetting(type, language);
        expect([enabled, checkForm(type, form)]).toEqual([true, []]);
      }
      expect(defaultFormSetting(type, 'pl').form).not.toEqual(defaultFormSetting(type, 'en').form);
    });
  }

  it('has the usual fields', () => {
    const requested = (type: FormType) => defaultFormSetting(type, 'en').form.fields.map((field) => field.type);
    expect(types.map(requested)).toEqual([
      ['header', 'name', 'email'],
      ['header', 'rating'],
      ['header', 'name', 'email', 'subject', 'textarea'],
    ]);
  });

  it('uses the phrases of the group', () => {
    const { form } = defaultFormSetting('prechat', 'en', { Name: 'Your name' });
    expect(form.fields[1]).toMatchObject({ label: 'Your name' });
  });
});

describe('a form', () => {
  const refused: [why: string, fields: FormField[], errors: string[], type?: FormType][] = [
    ['no fields', [], ['fields']],
    ['too many fields', Array.from({ length: 51 }, (_, index) => text(`${index}`)), ['fields']],
    ['a field without id and label', [text(' ', { label: '' })], ['fields.0.id', 'fields.0.label']],
    ['an id that is too long', [text('x'.repeat(65))], ['fields.0.id']],
    ['a label that is too long', [text('a', { label: '👟'.repeat(1001) })], ['fields.0.label']],
    ['two fields with the same id', [text('a'), text('b'), text('a')], ['fields.0.id', 'fields.2.id']],
    ['two name fields', [text('a', { type: 'name' }), text('b', { type: 'name' })], ['fields.0.type', 'fields.1.type']],
    ['a choice without options', [text('a', { type: 'radio', options: [] })], ['fields.0.options']],
    ['a choice with too many options', [text('a', { type: 'select', options: options(101) })], ['fields.0.options']],
    [
      'two options with the same id',
      [text('a', { type: 'checkbox', options: [...options(2), { id: '0', label: 'again' }] })],
      ['fields.0.options.0.id', 'fields.0.options.2.id'],
    ],
    [
      'an invalid group id',
      [text('a', { type: 'group_chooser', options: [{ id: '1', label: 'Sales', groupId: -1 }] })],
      ['fields.0.options.0.group_id'],
    ],
    ['a rating in a pre-chat form', [text('a', { type: 'rating' })], ['fields.0.type']],
    [
      'a group chooser in a post-chat form',
      [text('a', { type: 'group_chooser', options: [{ id: '1', label: 'Sales', groupId: 1 }] })],
      ['fields.0.type'],
      'postchat',
    ],
    [
      'a comment label that is too long',
      [text('a', { type: 'rating', commentLabel: 'x'.repeat(1001) })],
      ['fields.0.comment_label'],
      'postchat',
    ],
  ];
  for (const [why, fields, errors, type] of refused) {
    it(`is rejected: ${why}`, () => expect(problemsOf(fields, type)).toEqual(errors));
  }

  it('is accepted up to the limits', () => {
    const full = Array.from({ length: 49 }, (_, index) => text(`${index}`, { label: '👟'.repeat(1000) }));
    expect(problemsOf([...full, text('choice', { type: 'checkbox', options: options(100) })])).toEqual([]);
  });
});
