import type { Static } from 'typebox';
import * as contract from '#contracts/configuration/forms.ts';
import type { FormField as WireField } from '#contracts/customer/forms.ts';
import { requireAgent } from '#server/domain/access.ts';
import { invalid } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { getForm } from '#server/domain/support/configuration/get-form.ts';
import type { FormField } from '#server/domain/support/forms/records.ts';
import { setForm } from '#server/domain/support/forms/set-form.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentForm } from '#server/surfaces/chat-v3/present-form.ts';

const agentRoute = route<OrganizationScope>();

const readGroup = (field: string, groupId: number | undefined): number => {
  if (groupId === undefined) throw invalid(field, 'is required');
  return groupId;
};

const readField = (field: Static<typeof WireField>, at: number): FormField => {
  const { id, label } = field;
  if (field.type === 'header') return { type: field.type, id, label };
  const question = { id, label, required: field.required ?? false };
  const options = field.options ?? [];
  switch (field.type) {
    case 'checkbox':
    case 'radio':
    case 'select':
      return {
        ...question,
        type: field.type,
        options: options.map((option) => ({ id: option.id, label: option.label })),
      };
    case 'group_chooser':
      return {
        ...{ ...question, type: field.type },
        options: options.map((option, index) => ({
          ...{ id: option.id, label: option.label },
          groupId: readGroup(`fields.${at}.options.${index}.group_id`, option.group_id),
        })),
      };
    case 'rating':
      return {
        ...{ ...question, type: field.type },
        ...(field.comment_label === undefined ? {} : { commentLabel: field.comment_label }),
      };
    default:
      return { ...question, type: field.type };
  }
};

export const formRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.getGroupForm, async ({ body, scope }) => {
    requireAgent(scope.actor);
    const { enabled, form } = await getForm(scope, { groupId: body.group_id, type: body.type });
    return { enabled, form: presentForm(form) };
  }),
  agentRoute(contract.setGroupForm, async ({ body, scope }) => {
    const { group_id: groupId, type, enabled, fields } = body;
    await setForm(scope, {
      ...{ groupId, type, enabled },
      ...(fields === undefined ? {} : { fields: fields === null ? null : fields.map(readField) }),
    });
    return {};
  }),
];
