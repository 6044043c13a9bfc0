/** Treats `all` like an absent filter. */
export const ignoreAll = <T extends string>(asked: T | undefined): Exclude<T, 'all'> | undefined =>
  asked === 'all' ? undefined : (asked as Exclude<T, 'all'> | undefined);
