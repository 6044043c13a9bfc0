import { notFound } from '../../errors.ts';
import { openPartnerScope, type PartnerScope, type Services } from '../../scope.ts';
import { type ExpertRecord, findExpert } from './profile.ts';

/** A public expert: approved, and the partner is not blocked. */
export const getPublicExpert = async (
  services: Services,
  partnerId: number,
): Promise<{ scope: PartnerScope; expert: ExpertRecord }> => {
  const scope = openPartnerScope(services, { kind: 'visitor' }, partnerId);
  const [expert, partner] = await Promise.all([
    findExpert(scope),
    scope.db.selectFrom('partners').where('id', '=', partnerId).select('blocked').executeTakeFirst(),
  ]);
  if (expert?.status !== 'approved' || partner?.blocked !== false) throw notFound('Expert');
  return { scope, expert };
};
