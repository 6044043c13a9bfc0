import type { OrganizationScope } from '../../scope.ts';
import { readGroupSettings } from '../configuration/settings.ts';
import type { FormSetting, FormType } from './records.ts';

export const getForm = async (
  scope: OrganizationScope,
  { groupId, type }: { groupId: number; type: FormType },
): Promise<FormSetting> => (await readGroupSettings(scope, groupId)).forms[type];
