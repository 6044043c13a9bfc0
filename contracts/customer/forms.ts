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
  required: Type.Optional(Type.Boolean({ description: 'Absent on a header' })),
  options: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        label: Type.String(),
        group_id: Type.Optional(Int32({ description: 'In a `group_chooser`' })),
      }),
    ),
  ),
  comment_label: Type.Optional(Type.String({ description: 'Of a rating that may be explained' })),
});

export const Form = Type.Object({
  id: Type.String({ description: 'Another one whenever the questions change' }),
  fields: Type.Array(FormField),
});
export type Form = Static<typeof Form>;

export const getForm = customerAction({
  name: 'get_form',
  summary: 'What a group asks before or after a chat, or when nobody is there',
  body: Type.Object({ group_id: Int32(), type: oneOf('prechat', 'postchat', 'ticket') }),
  responses: { 200: Type.Object({ enabled: Type.Boolean(), form: Type.Optional(Form) }) },
});
