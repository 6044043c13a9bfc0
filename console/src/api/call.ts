import { createClient } from '#contracts/client.ts';

/** All APIs have the same origin, so the browser sends the session cookie. */
const baseUrl = globalThis.location?.origin ?? 'http://localhost';

/** Agent, configuration and sign-in operations: `call(getChat, { body: { chat_id } })`. */
export const call = createClient({ baseUrl });

/** Chat operations (REST v2): `callRest(listAgents, {})`. */
export const callRest = createClient({ baseUrl, headers: { 'x-api-version': '2' } });
