import { afterAll, beforeAll, expect, it } from 'vitest';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test[Symbol.asyncDispose]());

const buildShop = async (): Promise<TestOrganization> => {
  const shop = await buildOrganization(test);
  const customer = await buildCustomer(shop);
  const { chatId } = await buildChat(shop, customer);
  await deactivateChat(customerScope(shop, customer), { chatId });
  return shop;
};
const counted = async ({ scope }: TestOrganization) =>
  (await scope.from('chatFacts').select('threadId').execute()).length;

it('counts the chats of other organizations when those of one cannot be counted', async () => {
  const shops = [await buildShop(), await buildShop(), await buildShop()];
  const [, broken] = shops;
  const { database } = test.context;
  const constrain = (text: string) => database.query({ text: `alter table chat_facts ${text}`, values: [] });
  await constrain(`add constraint broken check (organization_id <> '${broken!.id}')`);
  await test.context.scheduler.run('update-reports');
  expect(await Promise.all(shops.map(counted))).toEqual([1, 0, 1]);
  await constrain('drop constraint broken');
  await test.context.scheduler.run('update-reports');
  expect(await Promise.all(shops.map(counted))).toEqual([1, 1, 1]);
});
