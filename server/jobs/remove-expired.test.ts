import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { sendTranscript } from '#server/domain/support/archives/send-transcript.ts';
import { markFilesUsed } from '#server/domain/support/files/mark-used.ts';
import { storeUpload } from '#server/domain/support/files/store-upload.ts';
import { startVisitorChat } from '#server/domain/support/visitor-chat/start-visitor-chat.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat, customerScope } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';

const HOUR = 3600 * 1000;

const test = useTestApp();

const upload = async (organization: TestOrganization) =>
  storeUpload(customerScope(organization, await buildCustomer(organization)), test.context.ports.files, {
    name: 'note.txt',
    declaredType: 'text/plain',
    content: Readable.from([Buffer.from('hello')]),
  });
const idsOf = async ({ scope }: TestOrganization) =>
  (await scope.from('files').select('id').execute()).map(({ id }) => id).sort();
const countTokens = async ({ scope }: TestOrganization) =>
  (await scope.from('customerTokens').select('id').execute()).length;

it('removes unused uploads and expired tokens of every organization', async () => {
  const organizations = [await buildOrganization(test), await buildOrganization(test)];
  for (const organization of organizations) {
    const [used, unused] = [await upload(organization), await upload(organization)];
    await markFilesUsed(test.context.database, [
      { organizationId: organization.id, fileId: used.id, at: test.clock.now() },
    ]);
    test.clock.advance(24 * HOUR);
    const young = await upload(organization);
    await test.context.background.scheduler.run('remove-expired-files');
    expect(await idsOf(organization)).toEqual([used.id, young.id].sort());
    expect(await test.context.ports.files.read(unused.storageKey)).toBeUndefined();
    expect(await countTokens(organization)).toBe(3);
  }
  await test.context.background.scheduler.enqueueInfrequent();
  await test.runDueJobs();
  expect(await Promise.all(organizations.map(countTokens))).toEqual([0, 1]);
});

it('removes the files of other organizations when those of one cannot be removed', async () => {
  const organizations = [await buildOrganization(test), await buildOrganization(test), await buildOrganization(test)];
  for (const organization of organizations) await upload(organization);
  test.clock.advance(24 * HOUR);
  const { files } = test.context.ports;
  const { remove } = files;
  files.remove = async (key) => {
    if (key.startsWith(organizations[1]!.id)) throw new Error('the disk is broken there');
    await remove(key);
  };
  await test.context.background.scheduler.run('remove-expired-files');
  files.remove = remove;
  const left = await Promise.all(organizations.map(idsOf));
  expect(left.map((ids) => ids.length)).toEqual([0, 1, 0]);
});

it('removes expired sessions of visitors without a widget', async () => {
  const organization = await buildOrganization(test);
  const start = (visitorId: string) =>
    startVisitorChat(test.context.services, {
      ...{ organizationId: organization.id, visitorId, welcomeMessage: 'Hi', ip: '127.0.0.1' },
    });
  await start('one who never comes back');
  test.clock.advance(30 * 24 * HOUR);
  await start('another');
  await test.context.background.scheduler.run('remove-expired-tokens');
  expect(await organization.scope.from('visitorSessions').select('id').execute()).toHaveLength(1);
});

it('removes the recipients of transcripts when they no longer count for the limit', async () => {
  const organization = await buildOrganization(test);
  const { threadId } = await buildChat(organization, await buildCustomer(organization), { texts: ['Hello'] });
  const send = () => sendTranscript(agentScope(organization, organization.owner), { threadId, to: 'ann@home.test' });
  const count = async () => (await organization.scope.from('transcriptMails').select('id').execute()).length;
  await send();
  test.clock.advance(HOUR / 2);
  for (let n = 0; n < 4; n++) await send();
  test.clock.advance(HOUR / 2);
  await test.context.background.scheduler.run('remove-expired-tokens');
  expect(await count()).toBe(4);
  await send();
  await expect(send()).rejects.toMatchObject({ code: 'too_many_requests' });
  test.clock.advance(HOUR);
  await test.context.background.scheduler.run('remove-expired-tokens');
  expect(await count()).toBe(0);
});
