import { type Static, Type } from 'typebox';
import { Int32, oneOf } from '../values.ts';
import { customerAction } from './operation.ts';

export const FormField = Type.Object({
  type: oneOf(
    'header',
    'name',
    'email',
    'question',
    'subject',
    'textarea',
    'checkbox',
    'radio',
    'select',
    'group_chooser',
    'rating',
  ),
  id: Type.String(),
  label: Type.String(),
  required: Type.Optional(Type.Boolean({ description: 'Absent for a header' })),
  options: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        label: Type.String(),
        group_id: Type.Optional(Int32({ description: 'Only in a `group_chooser`' })),
      }),
    ),
  ),
  comment_label: Type.Optional(Type.String({ description: 'Label of the comment field of a rating' })),
});

export const Form = Type.Object({
  id: Type.String({ description: 'Changes whenever the questions change' }),
  fields: Type.Array(FormField),
});
export type Form = Static<typeof Form>;

export const getForm = customerAction({
  name: 'get_form',
  summary: 'Returns the form a group shows before a chat, after a chat, or while offline',
  body: Type.Object({ group_id: Int32(), type: oneOf('prechat', 'postchat', 'ticket') }),
  responses: { 200: Type.Object({ enabled: Type.Boolean(), form: Type.Optional(Form) }) },
});
