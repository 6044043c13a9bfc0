import { Type } from 'typebox';

/** Every request names the organization it talks to. */
export const customerQuery = Type.Object({ organization_id: Type.String({ minLength: 1, maxLength: 64 }) });
