import { Type } from 'typebox';
import { Form, FormField } from '../customer/forms.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { configurationAction } from './operation.ts';

const FormType = oneOf('prechat', 'postchat', 'ticket');

export const getGroupForm = configurationAction({
  name: 'get_group_form',
  scopes: ['groups_read'],
  reads: true,
  summary: 'What a group asks before or after a chat, or when nobody is there, also while it does not',
  body: Type.Object({ group_id: Int32(), type: FormType }),
  responses: { 200: Type.Object({ enabled: Type.Boolean(), form: Form }) },
});

const Fields = Type.Array(FormField, {
  maxItems: 50,
  description: 'null: the default questions again; absent: those that are asked now',
  examples: [[{ type: 'email', id: 'email', label: 'E-mail', required: true }]],
});

export const setGroupForm = configurationAction({
  name: 'set_group_form',
  scopes: ['groups_write'],
  summary: 'Sets what a group asks, and whether it does',
  description:
    'Ids are unique. A name, an e-mail address, a subject, a group and a rating are asked for once at most; a rating only after a chat, a group only before. Other questions get another form id.',
  body: Type.Object({
    group_id: Int32(),
    type: FormType,
    enabled: Type.Boolean(),
    fields: Type.Optional(Nullable(Fields)),
  }),
  responses: { 200: Empty },
});

export const formOperations = [getGroupForm, setGroupForm];
