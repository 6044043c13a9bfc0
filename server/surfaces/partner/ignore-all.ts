/** Treats `all` like an absent filter. */
export const ignoreAll = <T extends string>(requested: T | undefined): Exclude<T, 'all'> | undefined =>
  requested === 'all' ? undefined : (requested as Exclude<T, 'all'> | undefined);
