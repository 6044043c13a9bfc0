import { Type } from 'typebox';

/** UTC. */
export const PartnerTimestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  examples: ['2026-11-15 12:30:00'],
});

export const WebAddress = Type.String({ format: 'uri', pattern: '^https?://[^/?#]', maxLength: 2000 });
