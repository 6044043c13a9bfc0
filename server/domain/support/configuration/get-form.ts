import type { OrganizationScope } from '../../scope.ts';
import type { FormSetting, FormType } from '../forms/records.ts';
import { readGroupSettings } from './settings.ts';

export const getForm = async (
  scope: OrganizationScope,
  { groupId, type }: { groupId: number; type: FormType },
): Promise<FormSetting> => (await readGroupSettings(scope, groupId)).forms[type];
