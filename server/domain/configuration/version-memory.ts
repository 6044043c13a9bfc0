import { LRUCache } from 'lru-cache';

export interface Versions {
  config: string;
  localization: string;
}

/**
 * A version is a hash over everything that is set for a group. Every page view asks for it, so it is made again only when
 * something it comes from was written: `marks` are the same as long as nothing was.
 */
export interface VersionMemory {
  recall(key: string, marks: readonly unknown[], make: () => Promise<Versions>): Promise<Versions>;
}

const MOST_REMEMBERED = 10_000;

export const createVersionMemory = (): VersionMemory => {
  const remembered = new LRUCache<string, { marks: readonly unknown[]; versions: Versions }>({ max: MOST_REMEMBERED });
  return {
    recall: async (key, marks, make) => {
      const known = remembered.get(key);
      if (known && marks.every((mark, at) => mark === known.marks[at])) return known.versions;
      const versions = await make();
      remembered.set(key, { marks, versions });
      return versions;
    },
  };
};
