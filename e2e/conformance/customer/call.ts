import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses without types.
export type Json = any;

export interface ApiResponse {
  status: number;
  headers: Headers;
  body: Json;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Overrides the path of the operation. */
  path?: string;
  query?: Record<string, unknown>;
  method?: string;
  /** Overrides the JSON body. */
  raw?: BodyInit;
}

export interface Caller {
  id: string;
  token: string;
  organizationId: string;
  url: string;
  call(operation: string, payload?: Json, options?: CallOptions): Promise<ApiResponse>;
  /** The body of a successful response. */
  ok(operation: string, payload?: Json, options?: CallOptions): Promise<Json>;
  upload(content: Uint8Array | string, name?: string, type?: string): Promise<ApiResponse>;
}

export const GET_OPERATIONS = [
  'get_dynamic_configuration',
  'get_configuration',
  'get_localization',
  'list_license_properties',
  'list_group_properties',
];

export const send = async (url: string, init: RequestInit): Promise<ApiResponse> => {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
};

const toQuery = (fields: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  ).toString();

interface Identity {
  url: string;
  organizationId: string;
  customerId: string;
  token: string;
}

export const createCaller = ({ url, organizationId, customerId, token }: Identity): Caller => {
  const call: Caller['call'] = (operation, payload = {}, options = {}) => {
    const method = options.method ?? (GET_OPERATIONS.includes(operation) ? 'GET' : 'POST');
    const path = options.path ?? `/v3.5/customer/action/${operation}`;
    const query = toQuery({ organization_id: organizationId, ...(method === 'GET' ? payload : {}), ...options.query });
    return send(`${url}${path}?${query}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(options.raw === undefined && method !== 'GET' ? { 'content-type': 'application/json' } : {}),
        ...options.headers,
      },
      ...(method === 'GET' ? {} : { body: options.raw ?? JSON.stringify(payload) }),
    });
  };
  return {
    id: customerId,
    token,
    organizationId,
    url,
    call,
    ok: async (operation, payload, options) => {
      const { status, body } = await call(operation, payload, options);
      expect({ operation, status, body }).toMatchObject({ operation, status: 200 });
      return body;
    },
    upload: (content, name = 'note.txt', type = 'text/plain') => {
      const form = new FormData();
      form.append('file', new Blob([content as BlobPart], { type }), name);
      return call('upload_file', {}, { raw: form });
    },
  };
};

/** The status and the default message of each error type. */
export const errors: Record<string, [status: number, message: string]> = {
  authentication: [401, 'Authentication error'],
  authorization: [403, 'Authorization error'],
  chat_anonymized: [422, 'Chat anonymized'],
  chat_inactive: [422, 'No active chat thread'],
  customer_banned: [403, 'Customer is banned'],
  entity_too_large: [413, 'Upload limit exceeded (10MB).'],
  greeting_not_found: [404, 'Greeting not found'],
  group_not_found: [404, 'Group not found'],
  group_offline: [422, 'Group is offline'],
  group_unavailable: [422, 'No agent available for group'],
  groups_offline: [422, 'Groups offline'],
  internal: [500, 'Internal server error'],
  license_expired: [402, 'License expired'],
  license_not_found: [404, 'License not found'],
  limit_reached: [422, 'Resource limit reached'],
  misdirected_request: [421, 'Wrong region'],
  not_found: [404, 'Not found'],
  request_timeout: [408, 'Request timed out'],
  service_unavailable: [503, 'Not accepting new requests'],
  too_many_requests: [429, 'Too many requests'],
  unsupported_version: [400, 'Unsupported version'],
  validation: [400, 'Wrong format of request'],
  wrong_product_version: [422, 'Wrong product version'],
};

/** Checks the envelope, the type and the status. Messages may be more specific than the default. */
export const expectError = ({ status, body }: ApiResponse, type: string): void => {
  expect({ status, body }).toMatchObject({ status: errors[type]![0], body: { error: { type } } });
  expect(body.error.message).toEqual(expect.stringMatching(/./));
};

export const expectEmpty = ({ status, body }: ApiResponse): void =>
  expect({ status, body }).toEqual({ status: 200, body: {} });

export const message = (text: string, more: object = {}) => ({ type: 'message', text, ...more });

/** Starts a chat that does not require an agent to be online. */
export const startChat = async (customer: Caller, events: object[] = []) => {
  const thread = events.length > 0 ? { chat: { thread: { events } } } : {};
  const {
    chat_id: chatId,
    thread_id: threadId,
    event_ids: eventIds,
  } = await customer.ok('start_chat', {
    continuous: true,
    ...thread,
  });
  return { chatId: chatId as string, threadId: threadId as string, eventIds: eventIds as string[] | undefined };
};

/** Creates an archived chat with this many threads and events per thread. */
export const archiveChat = async (customer: Caller, threads = 1, eventsEach = 0) => {
  const events = Array.from({ length: eventsEach }, (_, at) => message(`message ${at + 1}`));
  const { chatId, threadId } = await startChat(customer, events);
  await customer.ok('deactivate_chat', { id: chatId });
  const threadIds = [threadId];
  while (threadIds.length < threads) {
    const resumed = await customer.ok('resume_chat', { chat: { id: chatId, thread: { events } } });
    threadIds.push(resumed.thread_id);
    await customer.ok('deactivate_chat', { id: chatId });
  }
  return { chatId, threadIds };
};

export const CHAT_ID = /^[A-Z0-9]{10}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
