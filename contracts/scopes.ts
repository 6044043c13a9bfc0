const areas = [
  ...(['agents', 'groups', 'archives', 'goals', 'greetings', 'canned_responses'] as const),
  ...(['tags', 'tickets', 'visitors', 'reports', 'webhooks'] as const),
] as const;

/** An OAuth scope: a resource, and whether it may be read or changed. */
export type Scope = `${(typeof areas)[number]}_${'read' | 'write'}`;

export const scopes: readonly Scope[] = areas.flatMap((area) => [`${area}_read`, `${area}_write`] as const);
