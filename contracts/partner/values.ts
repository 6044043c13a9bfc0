import { Type } from 'typebox';
import { oneOf } from '../values.ts';

/** UTC. */
export const PartnerTimestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  examples: ['2026-11-15 12:30:00'],
});

export const WebAddress = Type.String({ format: 'uri', pattern: '^https?://[^/?#]', maxLength: 2000 });

/** A day, or a second of UTC. */
export const PartnerDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}Z)?$',
  examples: ['2026-11-15', '2026-11-15T12:30:00Z'],
});

/** From the first moment named to the last one, which belongs to it: a day is the whole day. */
export const dateRange = { date_from: Type.Optional(PartnerDate), date_to: Type.Optional(PartnerDate) };

/** The same where it must be said. */
export const requiredDates = { date_from: PartnerDate, date_to: PartnerDate };

/** What a number is about. */
export const ProductFilter = oneOf('mainchat', 'chatbot', 'helpdesk', 'partner_program', 'all');
export const ProgramFilter = oneOf('affiliate', 'solution', 'all');
