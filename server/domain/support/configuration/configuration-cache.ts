import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import { createCoalescer } from '../../coalesce.ts';

/** Values that can change at any time. */
export interface CurrentRow {
  language: string;
  trustedDomains: string[];
  /** Groups in which an agent accepts chats, even if all are at their limits. */
  onlineGroupIds: number[];
  /** The transactions that last wrote the group and the organization (`xmin`). */
  groupVersion: string;
  organizationVersion: string;
}

export interface Versions {
  config: string;
  localization: string;
}

/** Needed for every page view of every site. */
export interface ConfigurationCache {
  read(organizationId: string, groupId: number): Promise<CurrentRow | undefined>;
  /**
   * A version is a hash over all settings of a group, computed only when one of the `inputs` has changed.
   */
  getVersions(key: string, inputs: readonly unknown[], compute: () => Promise<Versions>): Promise<Versions>;
}

const MAX_CACHED = 10_000;

const CURRENT = `
select g.language, o.trusted_domains as "trustedDomains", g.xmin::text as "groupVersion", o.xmin::text as "organizationVersion",
  array(
    select distinct m.group_id from agents a
    join agent_groups m on m.organization_id = a.organization_id and m.agent_id = a.id
    where a.organization_id = g.organization_id and a.status = 'accepting chats' and a.deleted_at is null
    order by m.group_id
  ) as "onlineGroupIds"
from groups g
join organizations o on o.id = g.organization_id
where g.organization_id = $1 and g.id = $2 and g.deleted_at is null`;

export const createConfigurationCache = (executor: Executor): ConfigurationCache => {
  const cache = new LRUCache<string, { inputs: readonly unknown[]; versions: Versions }>({ max: MAX_CACHED });
  const share = createCoalescer<CurrentRow | undefined>();
  const query = async (...values: [string, number]): Promise<CurrentRow | undefined> =>
    (await executor.query<CurrentRow & object>({ name: 'dynamic_configuration', text: CURRENT, values })).rows[0];
  return {
    read: (organizationId, groupId) => share(`${organizationId} ${groupId}`, () => query(organizationId, groupId)),
    getVersions: async (key, inputs, compute) => {
      const cached = cache.get(key);
      if (cached && inputs.every((input, at) => input === cached.inputs[at])) return cached.versions;
      const versions = await compute();
      cache.set(key, { inputs, versions });
      return versions;
    },
  };
};
