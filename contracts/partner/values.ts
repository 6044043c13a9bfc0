import { Type } from 'typebox';
import { oneOf } from '../values.ts';

/** UTC. */
export const PartnerTimestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  examples: ['2026-11-15 12:30:00'],
});

export const WebAddress = Type.String({ format: 'uri', pattern: '^https?://[^/?#]', maxLength: 2000 });

/** A date or a timestamp in UTC. */
export const PartnerDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}Z)?$',
  examples: ['2026-11-15', '2026-11-15T12:30:00Z'],
});

/** Both ends are included; a date means the whole day. */
export const dateRange = { date_from: Type.Optional(PartnerDate), date_to: Type.Optional(PartnerDate) };

/** A required range. */
export const requiredDates = { date_from: PartnerDate, date_to: PartnerDate };

/** The filters of a metric. */
export const ProductFilter = oneOf('mainchat', 'chatbot', 'helpdesk', 'partner_program', 'all');
export const ProgramFilter = oneOf('affiliate', 'solution', 'all');
