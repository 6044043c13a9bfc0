import { Type } from 'typebox';
import { actionsOf, type ScopedActionFields } from '../chat/action.ts';

/** The credential identifies the organization. A request may name it too, and must then name the same one. */
const query = Type.Object({ organization_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) });

export const agentAction = actionsOf<ScopedActionFields>()('agent', { query, rateLimit: 'agent' });
