import * as contract from '#contracts/customer/forms.ts';
import { getForm } from '#server/domain/forms/get-form.ts';
import type { Form, FormField } from '#server/domain/forms/records.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action } from '#server/http/route.ts';

const customerAction = action<OrganizationScope>();

const presentField = (field: FormField): contract.Form['fields'][number] => {
  const { type, id, label } = field;
  if (field.type === 'header') return { type, id, label };
  const question = { type, id, label, required: field.required };
  switch (field.type) {
    case 'checkbox':
    case 'radio':
    case 'select':
      return { ...question, options: field.options };
    case 'group_chooser':
      return {
        ...question,
        options: field.options.map(({ groupId, ...option }) => ({ ...option, group_id: groupId })),
      };
    case 'rating':
      return { ...question, ...(field.commentLabel === undefined ? {} : { comment_label: field.commentLabel }) };
    default:
      return question;
  }
};

export const presentForm = ({ id, fields }: Form): contract.Form => ({ id, fields: fields.map(presentField) });

export const formActions: Action<OrganizationScope>[] = [
  customerAction(contract.getForm, async ({ body, scope }) => {
    const { enabled, form } = await getForm(scope, { groupId: body.group_id, type: body.type });
    return enabled ? { enabled, form: presentForm(form) } : { enabled };
  }),
];
