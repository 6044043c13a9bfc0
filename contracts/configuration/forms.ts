import { Type } from 'typebox';
import { Form, FormField } from '../customer/forms.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { configurationAction } from './operation.ts';

const FormType = oneOf('prechat', 'postchat', 'ticket');

export const getGroupForm = configurationAction({
  name: 'get_group_form',
  scopes: ['groups_read'],
  reads: true,
  summary: 'Returns the form a group shows before a chat, after a chat, or while offline, even if it is disabled',
  body: Type.Object({ group_id: Int32(), type: FormType }),
  responses: { 200: Type.Object({ enabled: Type.Boolean(), form: Form }) },
});

const Fields = Type.Array(FormField, {
  maxItems: 50,
  description: 'null restores the default questions; if absent, the questions stay unchanged',
  examples: [[{ type: 'email', id: 'email', label: 'E-mail', required: true }]],
});

export const setGroupForm = configurationAction({
  name: 'set_group_form',
  scopes: ['groups_write'],
  audit: true,
  summary: 'Sets the questions of a group’s form and whether it is enabled',
  description:
    'Ids must be unique. Name, email address, subject, group and rating may occur at most once; a rating only after a chat, a group only before. Changed questions get a new form id.',
  body: Type.Object({
    group_id: Int32(),
    type: FormType,
    enabled: Type.Boolean(),
    fields: Type.Optional(Nullable(Fields)),
  }),
  responses: { 200: Empty },
});

export const formOperations = [getGroupForm, setGroupForm];
