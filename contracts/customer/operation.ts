import { Type } from 'typebox';
import { type ActionFields, actionsOf } from '../chat/action.ts';

/** Every request names its organization. */
export const customerQuery = Type.Object({ organization_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const customerAction = actionsOf<ActionFields>()('customer', { query: customerQuery, rateLimit: 'customer' });
