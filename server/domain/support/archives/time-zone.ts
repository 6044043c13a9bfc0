import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { isTimeZone } from '../../time-zones.ts';

/** The zone somebody asked for, else the organization's own. */
export const resolveTimeZone = async (scope: OrganizationScope, asked: string | undefined): Promise<string> => {
  if (asked !== undefined) {
    if (!isTimeZone(asked)) throw invalid('timezone', 'must be an IANA time zone name, for example Europe/Warsaw');
    return asked;
  }
  const { timezone } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select('timezone')
    .executeTakeFirstOrThrow();
  return timezone;
};
