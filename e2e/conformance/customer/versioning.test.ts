import { afterAll, expect, it } from 'vitest';
import { expectError, startChat } from './call.ts';
import { newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);
const customer = await organization.customer();
await startChat(customer);

it.each<[string, { path: string; headers?: Record<string, string> }]>([
  ['in the URL', { path: '/v3.5/customer/action/list_chats' }],
  ['in the URL and the header', { path: '/v3.5/customer/action/list_chats', headers: { 'x-api-version': '3.5' } }],
  ['in the header', { path: '/customer/action/list_chats', headers: { 'x-api-version': '3.5' } }],
  ['in the URL, with a trailing slash', { path: '/v3.5/customer/action/list_chats/' }],
])('version 3.5 can be sent %s', async (_, options) => {
  expect(await customer.ok('list_chats', {}, options)).toMatchObject({ total_chats: 1 });
});

it('version 3.5 can be sent in the header of a GET operation', async () => {
  const options = { path: '/customer/action/get_dynamic_configuration', headers: { 'x-api-version': '3.5' } };
  expect(await customer.ok('get_dynamic_configuration', {}, options)).toMatchObject({
    organization_id: organization.id,
  });
});

it.each<[string, { path: string; headers?: Record<string, string> }]>([
  ['3.4 in the URL', { path: '/v3.4/customer/action/list_chats' }],
  ['3.6 in the URL', { path: '/v3.6/customer/action/list_chats' }],
  ['2 in the URL', { path: '/v2/customer/action/list_chats' }],
  ['3.4 in the header', { path: '/customer/action/list_chats', headers: { 'x-api-version': '3.4' } }],
  ['nonsense in the header', { path: '/customer/action/list_chats', headers: { 'x-api-version': 'x' } }],
])('version %s returns unsupported_version', async (_, options) => {
  expectError(await customer.call('list_chats', {}, options), 'unsupported_version');
});

it('an unknown operation returns not_found', async () => {
  expectError(await customer.call('list_everything'), 'not_found');
});

it.each([
  ['list_chats', 'GET'],
  ['list_chats', 'DELETE'],
  ['get_dynamic_configuration', 'POST'],
])('%s is not a %s operation', async (operation, method) => {
  const { status, headers } = await customer.call(operation, {}, { method });
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: expect.stringMatching(/GET|POST/) });
});
