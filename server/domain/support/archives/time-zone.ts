import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { isTimeZone } from '../../time-zones.ts';

/** The requested time zone, or else the organization's. */
export const resolveTimeZone = async (scope: OrganizationScope, requested: string | undefined): Promise<string> => {
  if (requested !== undefined) {
    if (!isTimeZone(requested)) throw invalid('timezone', 'must be an IANA time zone name, for example Europe/Warsaw');
    return requested;
  }
  const { timezone } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select('timezone')
    .executeTakeFirstOrThrow();
  return timezone;
};
