import { describe, expect, it } from 'vitest';
import type { Form } from '#contracts/customer/forms.ts';
import { faultOf, fillIn, translate } from './forms.ts';

const say = (key: string): string => `~${key}`;
const form: Form = {
  id: 'F',
  fields: [
    { type: 'header', id: 'h', label: 'Welcome' },
    { type: 'email', id: 'mail', label: 'E-mail', required: true },
    { type: 'checkbox', id: 'many', label: 'Colours', required: false, options: [{ id: 'r', label: 'Red' }] },
    { type: 'select', id: 'one', label: 'Colour', required: true, options: [{ id: 'r', label: 'Red' }] },
    { type: 'rating', id: 'rating', label: 'How?', required: false, comment_label: 'Why?' },
  ],
};

describe('a form', () => {
  it('says what is missing or impossible', () => {
    const faults = (answers: Parameters<typeof faultOf>[1]) => form.fields.map((field) => faultOf(field, answers));
    expect(faults({})).toEqual([undefined, 'Required_field', undefined, 'Required_field', undefined]);
    const answers = { mail: { text: 'nobody' }, one: { chosen: ['r'] } };
    expect(faults(answers)[1]).toBe('Invalid_email');
    expect(faults({ ...answers, mail: { text: ' a@b.test ' } })).toEqual(Array(5).fill(undefined));
  });

  it('is sent as the API has it', () => {
    const answers = {
      mail: { text: ' a@b.test ' },
      many: { chosen: ['r'] },
      one: { chosen: ['r'] },
      rating: { chosen: ['bad'], comment: 'Slow' },
    };
    expect(fillIn(form, 'postchat', answers, say)).toEqual({
      type: 'filled_form',
      form_id: 'F',
      form_type: 'postchat',
      fields: [
        { type: 'header', id: 'h', label: 'Welcome' },
        { type: 'email', id: 'mail', label: 'E-mail', answer: 'a@b.test' },
        { type: 'checkbox', id: 'many', label: 'Colours', answers: [{ id: 'r', label: 'Red' }] },
        { type: 'select', id: 'one', label: 'Colour', answer: { id: 'r', label: 'Red' } },
        { type: 'rating', id: 'rating', label: 'How?', answer: { id: 'bad', label: '~Bad' }, comment: 'Slow' },
      ],
    });
  });

  it('is asked in the language of the widget as long as nobody has changed it', () => {
    const fields: Form['fields'] = [
      { type: 'header', id: 'header', label: 'x' },
      { type: 'email', id: 'email', label: 'x', required: true },
    ];
    const asked = translate({ id: 'default_ticket', fields }, say);
    expect(asked.fields.map(({ label }) => label)).toEqual(['~Ticket_header', '~Email']);
    expect(translate(form, say)).toBe(form);
  });
});
