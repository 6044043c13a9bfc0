import { beforeEach, describe, expect, it } from 'vitest';
import type { FormField } from '#server/domain/support/forms/records.ts';
import { setForm } from '#server/domain/support/forms/set-form.ts';
import { updateGroupSettings } from '#server/domain/support/groups/update-settings.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let call: CallCustomer;
let chat_id: string;

beforeEach(async () => {
  organization = await buildOrganization(test);
  const customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  await buildGroup(organization, 2);
  ({ chatId: chat_id } = await buildChat(organization, customer));
});

const email: FormField = { type: 'email', id: 'mail', label: 'E-mail', required: true };
const fields: FormField[] = [
  { type: 'header', id: 'head', label: 'Hello' },
  email,
  { type: 'radio', id: 'size', label: 'Size', required: false, options: [{ id: 's', label: 'Small' }] },
  {
    type: 'group_chooser',
    id: 'group',
    label: 'Who?',
    required: false,
    options: [{ id: 'g', label: 'Two', groupId: 2 }],
  },
];
const set = (input: FormField[] | null | undefined, enabled = true) =>
  setForm(organization.scope, {
    groupId: 0,
    type: 'prechat',
    enabled,
    ...(input === undefined ? {} : { fields: input }),
  });
const form = async (type = 'prechat', group_id = 0) => (await call('get_form', { group_id, type })).body;

describe('get_form', () => {
  it.each(['prechat', 'postchat', 'ticket'])('returns the default questions of a %s form', async (type) => {
    const { enabled, form: requested } = await form(type);
    expect(enabled).toBe(true);
    expect(requested.id).toBe(`default_${type}`);
    expect(requested.fields[0]).toEqual({ type: 'header', id: 'header', label: expect.any(String) });
  });

  it('uses the phrases of the group', async () => {
    await updateGroupSettings(organization.scope, 2, { language: 'de', phrases: { de: { Name: 'Dein Name' } } });
    const labels = (await form('prechat', 2)).form.fields.map(({ label }: { label: string }) => label);
    expect(labels.slice(1)).toEqual(['Dein Name', 'E-Mail']);
  });

  it('returns the questions of the group', async () => {
    await set(fields);
    expect((await form()).form.fields).toEqual([
      { type: 'header', id: 'head', label: 'Hello' },
      { type: 'email', id: 'mail', label: 'E-mail', required: true },
      { type: 'radio', id: 'size', label: 'Size', required: false, options: [{ id: 's', label: 'Small' }] },
      {
        ...{ type: 'group_chooser', id: 'group', label: 'Who?', required: false },
        options: [{ id: 'g', label: 'Two', group_id: 2 }],
      },
    ]);
    expect((await form('prechat', 2)).form.id).toBe('default_prechat');
  });

  it('returns no form if the group disabled it', async () => {
    await set(undefined, false);
    expect(await form()).toEqual({ enabled: false });
    expect(await form('postchat')).toMatchObject({ enabled: true });
  });

  it('returns a new id for changed questions, and the same id otherwise', async () => {
    await set(fields);
    const { id } = (await form()).form;
    await set(fields, false);
    await set(undefined);
    expect((await form()).form.id).toBe(id);
    await set([email]);
    expect((await form()).form.id).not.toBe(id);
    await set(null);
    expect((await form()).form.id).toBe('default_prechat');
  });

  it.each([
    [{ group_id: 0 }, 400, 'validation'],
    [{ type: 'prechat' }, 400, 'validation'],
    [{ group_id: 0, type: 'survey' }, 400, 'validation'],
    [{ group_id: 9, type: 'prechat' }, 404, 'group_not_found'],
  ])('rejects %j', async (body, status, type) => {
    expect(await call('get_form', body)).toMatchObject(errorResponse(status, type));
  });
});

describe('set-form', () => {
  it('accepts only valid forms', async () => {
    await expect(set([])).rejects.toMatchObject({ code: 'validation' });
    const chooser = { ...fields[3], options: [{ id: 'g', label: 'Nine', groupId: 9 }] } as FormField;
    await expect(set([chooser])).rejects.toMatchObject({ code: 'group_not_found' });
    const nowhere = { groupId: 9, type: 'prechat', enabled: true } as const;
    await expect(setForm(organization.scope, nowhere)).rejects.toMatchObject({ code: 'group_not_found' });
  });
});

describe('a filled form', () => {
  const fill = (form_id: string, input: unknown[]) => ({ type: 'filled_form', form_id, fields: input });
  const send = (form_id: string, input: unknown[]) => call('send_event', { chat_id, event: fill(form_id, input) });
  const answer = (id: string, text: string) => ({ type: 'email', id, label: 'E-mail', answer: text });

  it('is validated against the questions', async () => {
    await set(fields);
    const { id } = (await form()).form;
    expect((await send(id, [answer('mail', 'ann@mail.test')])).status).toBe(200);
    expect(await send(id, [])).toMatchObject(errorResponse(400, 'validation'));
    expect(await send(id, [answer('mail', 'no address')])).toMatchObject(errorResponse(400, 'validation'));
    const start = (events: unknown[]) => call('start_chat', { chat: { thread: { events } } });
    expect(await start([fill(id, [])])).toMatchObject(errorResponse(400, 'validation'));
    expect((await start([fill(id, [answer('mail', 'ann@mail.test')])])).status).toBe(200);
  });

  it('is validated against the default questions', async () => {
    expect((await send('default_prechat', [answer('email', 'ann@mail.test')])).status).toBe(200);
    expect(await send('default_prechat', [])).toMatchObject(errorResponse(400, 'validation'));
  });

  it('is not validated if its form id is unknown, outdated or of another account', async () => {
    await set(fields);
    const { id } = (await form()).form;
    await set([{ ...email, label: 'Your e-mail' }]);
    const other = await buildOrganization(test);
    await setForm(other.scope, { groupId: 0, type: 'prechat', enabled: true, fields: [email] });
    const [theirs] = await other.scope.from('groups').select('forms').execute();
    for (const formId of ['173', id, theirs!.forms.prechat!.form!.id])
      expect((await send(formId, [])).status).toBe(200);
  });
});
