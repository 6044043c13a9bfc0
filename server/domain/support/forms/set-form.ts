import { isDeepStrictEqual } from 'node:util';
import type { StoredForms } from '#server/storage/tables/settings.ts';
import { requireAdministrator } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import { newShortId } from '../../ids.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { activeGroups, assertGroupsExist } from '../groups/online.ts';
import { checkForm } from './check-form.ts';
import type { FormField, FormType } from './records.ts';

export interface FormChange {
  groupId: number;
  type: FormType;
  enabled: boolean;
  /** When absent, the fields stay unchanged; `null` restores the defaults. */
  fields?: FormField[] | null;
}

type Stored = NonNullable<StoredForms[string]>;

const checkFields = async (tx: Transaction<OrganizationScope>, type: FormType, fields: FormField[]): Promise<void> => {
  const errors = checkForm(type, { id: '', fields });
  if (errors[0])
    throw new DomainError('validation', invalid(errors[0].field, errors[0].message).message, { fields: errors });
  const groupIds = fields.flatMap((field) =>
    field.type === 'group_chooser' ? field.options.map(({ groupId }) => groupId) : [],
  );
  if (groupIds.length > 0) await assertGroupsExist(tx, groupIds);
};

/** Unchanged fields keep their form id; changed ones get a new one. */
const formOf = (old: Stored['form'], fields: FormField[] | null): Pick<Stored, 'form'> => {
  if (fields === null) return {};
  return { form: old && isDeepStrictEqual(old.fields, fields) ? old : { id: newShortId(), fields } };
};

/** Sets the form of a group and whether it is enabled. */
export const setForm = async (
  scope: OrganizationScope,
  { groupId, type, enabled, fields }: FormChange,
): Promise<void> => {
  requireAdministrator(scope.actor);
  await scope.transaction(async (tx) => {
    const group = await activeGroups(tx).where('id', '=', groupId).select('forms').forNoKeyUpdate().executeTakeFirst();
    if (!group) throw new DomainError('group_not_found', 'Group not found');
    if (fields) await checkFields(tx, type, fields);
    const old = group.forms[type]?.form;
    const stored: Stored = { enabled, ...(fields === undefined ? old && { form: old } : formOf(old, fields)) };
    const forms = JSON.stringify({ ...group.forms, [type]: stored });
    await tx.update('groups').where('id', '=', groupId).set({ forms }).execute();
  });
};
