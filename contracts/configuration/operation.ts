import { Type } from 'typebox';
import { actionsOf, type ScopedActionFields } from '../chat/action.ts';

/** The credential identifies the organization. If a request names one too, it must be the same. */
const query = Type.Object({ organization_id: Type.Optional(Type.String({ maxLength: 64 })) });

export const configurationAction = actionsOf<ScopedActionFields>()('configuration', { query, rateLimit: 'agent' });
