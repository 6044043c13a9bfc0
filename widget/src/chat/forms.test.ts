import { describe, expect, it } from 'vitest';
import type { Form } from '#contracts/customer/forms.ts';
import { fillIn, translate, validateField } from './forms.ts';

const t = (key: string): string => `~${key}`;
const form: Form = {
  id: 'F',
  fields: [
    { type: 'header', id: 'h', label: 'Welcome' },
    { type: 'email', id: 'mail', label: 'Email', required: true },
    { type: 'checkbox', id: 'many', label: 'Colors', required: false, options: [{ id: 'r', label: 'Red' }] },
    { type: 'select', id: 'one', label: 'Color', required: true, options: [{ id: 'r', label: 'Red' }] },
    { type: 'rating', id: 'rating', label: 'How?', required: false, comment_label: 'Why?' },
  ],
};

describe('forms', () => {
  it('validate required fields and email addresses', () => {
    const errorPhrases = (answers: Parameters<typeof validateField>[1]) =>
      form.fields.map((field) => validateField(field, answers));
    expect(errorPhrases({})).toEqual([undefined, 'Required_field', undefined, 'Required_field', undefined]);
    const answers = { mail: { text: 'invalid' }, one: { chosen: ['r'] } };
    expect(errorPhrases(answers)[1]).toBe('Invalid_email');
    expect(errorPhrases({ ...answers, mail: { text: ' a@b.test ' } })).toEqual(Array(5).fill(undefined));
  });

  it('are sent as filled_form events', () => {
    const answers = {
      mail: { text: ' a@b.test ' },
      many: { chosen: ['r'] },
      one: { chosen: ['r'] },
      rating: { chosen: ['bad'], comment: 'Slow' },
    };
    expect(fillIn(form, 'postchat', answers, t)).toEqual({
      type: 'filled_form',
      form_id: 'F',
      form_type: 'postchat',
      fields: [
        { type: 'header', id: 'h', label: 'Welcome' },
        { type: 'email', id: 'mail', label: 'Email', answer: 'a@b.test' },
        { type: 'checkbox', id: 'many', label: 'Colors', answers: [{ id: 'r', label: 'Red' }] },
        { type: 'select', id: 'one', label: 'Color', answer: { id: 'r', label: 'Red' } },
        { type: 'rating', id: 'rating', label: 'How?', answer: { id: 'bad', label: '~Bad' }, comment: 'Slow' },
      ],
    });
  });

  it('are translated unless the account has customized them', () => {
    const fields: Form['fields'] = [
      { type: 'header', id: 'header', label: 'x' },
      { type: 'email', id: 'email', label: 'x', required: true },
    ];
    const requested = translate({ id: 'default_ticket', fields }, t);
    expect(requested.fields.map(({ label }) => label)).toEqual(['~Ticket_header', '~Email']);
    expect(translate(form, t)).toBe(form);
  });
});
