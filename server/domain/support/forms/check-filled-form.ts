import { sql } from 'kysely';
import { DomainError, invalid } from '../../errors.ts';
import { isShortId } from '../../ids.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { EventContent } from '../chats/records.ts';
import { checkAnswers } from './check-answers.ts';
import { defaultFormSetting } from './defaults.ts';
import type { Form, FormType } from './records.ts';

const defaults = new Map(
  (['prechat', 'postchat', 'ticket'] satisfies FormType[]).map((type) => {
    const { form } = defaultFormSetting(type, 'en');
    return [form.id, form];
  }),
);

/**
 * The current form of a group with this id. Answers to earlier forms and to those of other programs are not checked.
 */
const findForm = async (scope: OrganizationScope, id: string): Promise<Form | undefined> => {
  const { rows } = await sql<{ form: Form }>`
    select own.value -> 'form' as form from groups g, jsonb_each(g.forms) own
    where g.organization_id = ${scope.organizationId} and own.value -> 'form' ->> 'id' = ${id}`.execute(scope.db);
  return rows[0]?.form;
};

const check = (form: Form, fields: readonly unknown[]): void => {
  const errors = checkAnswers(form, fields);
  if (errors[0])
    throw new DomainError('validation', invalid(errors[0].field, errors[0].message).message, { fields: errors });
};

/** Checks a customer's answers against the form. Only ids that may belong to a form of the account cause a query. */
export const checkFilledForm = (scope: OrganizationScope, content: EventContent): Promise<void> | undefined => {
  if (scope.actor.kind !== 'customer' || content.type !== 'filled_form') return undefined;
  const { formId, fields } = content;
  const byDefault = defaults.get(formId);
  if (byDefault) check(byDefault, fields);
  if (byDefault || !isShortId(formId)) return undefined;
  return findForm(scope, formId).then((form) => form && check(form, fields));
};
