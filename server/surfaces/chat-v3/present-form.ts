import type { Form as WireForm } from '#contracts/customer/forms.ts';
import type { Form, FormField } from '#server/domain/support/forms/records.ts';

const presentField = (field: FormField): WireForm['fields'][number] => {
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

export const presentForm = ({ id, fields }: Form): WireForm => ({ id, fields: fields.map(presentField) });
