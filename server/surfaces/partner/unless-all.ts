/** Treats `all` like an absent filter. */
export const unlessAll = <T extends string>(asked: T | undefined): Exclude<T, 'all'> | undefined =>
  asked === 'all' ? undefined : (asked as Exclude<T, 'all'> | undefined);
