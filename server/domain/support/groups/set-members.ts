import { invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { withRerouting } from '../routing/reroute.ts';

type Tx = Transaction<OrganizationScope>;

/** Removes duplicate logins. */
const readLogins = async (tx: Tx, logins: string[]): Promise<string[]> => {
  const wanted = [...new Set(logins.map((login) => login.trim().toLowerCase()))];
  if (wanted.length === 0) return [];
  const rows = await tx
    .from('agents')
    .where('id', 'in', wanted)
    .where('deletedAt', 'is', null)
    .where('kind', '=', 'person')
    .select('id')
    .execute();
  const existing = new Set(rows.map(({ id }) => id));
  const unknownLogin = wanted.find((login) => !existing.has(login));
  if (unknownLogin !== undefined) throw invalid('agents', `must be logins of agents: ${unknownLogin} is unknown`);
  return wanted;
};

const people = (tx: Tx) => tx.from('agents').where('kind', '=', 'person').select('id');

/** Requires the organization lock. Replaces the people of the group. Bots and assigned chats stay. */
export const setMembers = async (tx: Tx, groupId: number, logins: string[]): Promise<void> => {
  const wanted = await readLogins(tx, logins);
  await withRerouting(tx, async () => {
    const others = tx.remove('agentGroups').where('groupId', '=', groupId).where('agentId', 'in', people(tx));
    await (wanted.length > 0 ? others.where('agentId', 'not in', wanted) : others).execute();
    if (wanted.length === 0) return;
    await tx
      .insert(
        'agentGroups',
        wanted.map((agentId) => ({ agentId, groupId })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  // Sockets cache which chats agents may see.
  tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
};
