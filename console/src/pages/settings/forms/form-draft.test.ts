import { describe, expect, it } from 'vitest';
import {
  addableTypes,
  checkFields,
  FIELD_TYPES,
  type FieldType,
  newField,
  readForm,
  writeFields,
} from './form-draft.ts';

const every = (Object.keys(FIELD_TYPES) as FieldType[]).map((type) => ({
  ...newField(type),
  label: type,
  required: type === 'email',
  options: newField(type).options.map((option, index) => ({ ...option, label: `${type} ${index}` })),
}));

describe('form draft', () => {
  it('survives writing and reading', () => {
    const written = writeFields(every);
    expect(writeFields(readForm(true, { fields: written }).fields)).toEqual(written);
  });

  it('writes only the members of each field type', () => {
    const [header, , email] = writeFields(every);
    expect(header).toEqual({ type: 'header', id: every[0]!.id, label: 'header' });
    expect(email).toMatchObject({ type: 'email', required: true });
    const chooser = writeFields(every).find(({ type }) => type === 'group_chooser')!;
    expect(chooser.options?.[0]).toHaveProperty('group_id', 0);
    const list = writeFields(every).find(({ type }) => type === 'select')!;
    expect(list.options?.[0]).not.toHaveProperty('group_id');
  });

  it('limits which field types can be added', () => {
    expect(addableTypes('prechat', [newField('name')])).not.toContain('name');
    expect(addableTypes('prechat', [newField('question')])).toContain('question');
    expect(addableTypes('prechat', [])).not.toContain('rating');
    expect(addableTypes('postchat', [])).toContain('rating');
    expect(addableTypes('postchat', [])).not.toContain('group_chooser');
  });

  it('uses the field paths of the server for errors', () => {
    expect(Object.keys(checkFields([]))).toEqual(['fields']);
    expect(Object.keys(checkFields([newField('question'), { ...newField('radio'), label: 'Which?' }]))).toEqual([
      'fields.0.label',
      'fields.1.options.0.label',
      'fields.1.options.1.label',
    ]);
  });
});
