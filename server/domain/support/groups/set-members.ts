import { invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { withRerouting } from '../routing/reroute.ts';

type Tx = Transaction<OrganizationScope>;

/** A login that stands twice is there once. */
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
  const known = new Set(rows.map(({ id }) => id));
  const stranger = wanted.find((login) => !known.has(login));
  if (stranger !== undefined) throw invalid('agents', `names nobody: ${stranger}`);
  return wanted;
};

const people = (tx: Tx) => tx.from('agents').where('kind', '=', 'person').select('id');

/** Under the turn: these people are the group's, instead of those who were. Bots stay. Chats that somebody answers stay with it. */
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
  // Which chats agents may see is remembered with their sockets.
  tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
};
