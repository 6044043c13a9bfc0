import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import {
  expectAccessible,
  fillSignIn,
  freePort,
  hasBrowser,
  launchBrowser,
  message,
  openLink,
  openShop,
  signIn,
  watchComplaints,
} from './console-fixture.ts';
import { type StartingProcess, spawnProcess, toDatabaseUrl } from './start-process.ts';

/** Longer than the longest pause between two attempts to reconnect. */
const WAIT = { timeout: 60_000 };

/** Markup that must be shown as text wherever customers can enter it. */
const PAYLOADS = [
  '<img src=x onerror="window.ran=1">',
  '<script>window.ran=1</script>',
  '"><svg onload=window.ran=1>',
  'javascript:window.ran=1',
  '{{constructor.constructor("window.ran=1")()}}',
];

describe.skipIf(!hasBrowser)('chats in the console, in a real browser', () => {
  let browser: Browser;
  let link: Awaited<ReturnType<typeof openLink>>;
  let server: StartingProcess;
  let shop: Awaited<ReturnType<typeof openShop>>;
  let page: Page;
  let browserErrors: string[];
  let settings: Record<string, string>;

  const start = async (dataDir?: string): Promise<void> => {
    const port = await freePort();
    server = spawnProcess({ ...settings, PORT: String(port) }, dataDir);
    await server.waitForOutput(/ready at/);
    link.leadTo(port);
  };

  beforeAll(async () => {
    link = await openLink();
    const database = await createTestDatabase();
    settings = { DATABASE_URL: toDatabaseUrl(database), PUBLIC_URL: link.url, RATE_LIMITS: 'off' };
    [browser] = await Promise.all([launchBrowser(), start()]);
    shop = await openShop(link.url, 'teashop');
    await shop.rest('PUT', `/agents/${shop.login}`, { max_chats_count: 50 });
    await shop.rest('POST', '/agents', { login: 'bea@teashop.test', name: 'Bea Helper', password: 'another password' });
    await shop.rest('POST', '/canned_responses', { text: 'Thank you for asking!', tags: ['thanks'] });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(WAIT.timeout);
    browserErrors = watchComplaints(page);
  });
  afterAll(async () => {
    await browser?.close();
    link?.close();
    server?.signal('SIGTERM');
    await server?.ended;
    server?.remove();
  });

  const list = (): Locator => page.getByRole('navigation', { name: 'Chats' });
  const log = (): Locator => page.getByRole('log', { name: 'Messages' });
  const field = (): Locator => page.getByRole('textbox', { name: /^(Message|Private note)$/ });
  const shown = (): Promise<string[]> =>
    log().locator('[data-event] > div:not([class*="meta"]):not([class*="state"])').allInnerTexts();

  /** Starts a chat as a new customer. */
  const startChat = async (name: string, text: string, details: object = {}) => {
    const customer = await shop.newCustomer({ name, email: `${name.length}@mail.test`, ...details });
    const { chat_id: chatId } = await customer.act('start_chat', { chat: { thread: { events: [message(text)] } } });
    const sendMessage = (words: string) => customer.act('send_event', { chat_id: chatId, event: message(words) });
    const readTexts = async (): Promise<string[]> => {
      const { thread } = await customer.act('get_chat', { chat_id: chatId });
      return thread.events.map((event: { text?: string }) => event.text ?? '');
    };
    return { customer, chatId, sendMessage, readTexts };
  };

  const open = async (name: string): Promise<void> => {
    await list().getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 2 }).waitFor();
  };

  it('signs in with the right password and does not reveal which accounts exist', async () => {
    await page.goto(`${link.url}/console/chats`);
    await page.getByLabel('Email').fill('nobody@teashop.test');
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Incorrect email or password.').waitFor();
    await expectAccessible(page, 'signing in');
    await signIn(page, link.url, shop.login, '/console/chats');
    await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/chats');
    await expectAccessible(page, 'no chats');
  });

  it('replies, adds notes, inserts canned responses, tags, transfers and ends a chat', async () => {
    await shop.asOwner('set_routing_status', { status: 'accepting_chats' });
    const anna = await startChat('Anna', 'Do you have tea?');
    await open('Anna');
    await log().getByText('Do you have tea?').waitFor();

    await field().fill('We do.');
    await field().press('Enter');
    await expect.poll(anna.readTexts, WAIT).toContain('We do.');

    await page.getByText('Private note', { exact: true }).click();
    await field().fill('Likes tea.');
    await field().press('Enter');
    await log().getByText('Likes tea.').waitFor();

    await page.getByText('Reply', { exact: true }).click();
    await field().pressSequentially('#tha');
    await page.getByRole('option', { name: /Thank you/ }).waitFor();
    await field().press('Enter');
    await field().press('Enter');
    await expect.poll(anna.readTexts, WAIT).toContain('Thank you for asking!');
    expect(await anna.readTexts()).not.toContain('Likes tea.');

    await page.getByRole('button', { name: '+ Tag' }).click();
    await page.getByRole('combobox', { name: 'Tag' }).fill('tea');
    await page.getByRole('combobox', { name: 'Tag' }).press('Enter');
    await page.getByRole('button', { name: 'Remove tag tea' }).waitFor();
    await expectAccessible(page, 'a conversation');

    await page.getByRole('button', { name: 'Transfer' }).click();
    await page.getByRole('dialog').getByText('Group', { exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /All|General|group/i })
      .first()
      .waitFor();
    await expectAccessible(page, 'a transfer');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'End chat', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
    await log().getByText('This conversation has ended').waitFor();
    await list().getByRole('link', { name: 'Anna' }).waitFor({ state: 'detached' });
    const { thread } = await shop.asOwner('get_chat', { chat_id: anna.chatId });
    expect(thread).toMatchObject({ active: false, tags: ['tea'] });
    expect(browserErrors).toEqual([]);
  });

  it('delivers messages typed while offline exactly once, and matches the server after a restart', async () => {
    const boris = await startChat('Boris', 'Where is my parcel?');
    await open('Boris');
    await log().getByText('Where is my parcel?').waitFor();
    await field().fill('I look.');
    await field().press('Enter');
    await expect.poll(boris.readTexts, WAIT).toContain('I look.');

    link.cut();
    await page.getByText('Connection lost').waitFor();
    await field().fill('It left today.');
    await field().press('Enter');
    await page.getByText('Waiting for the connection').waitFor();
    link.mend();
    await expect.poll(boris.readTexts, WAIT).toContain('It left today.');
    await boris.sendMessage('Good.');

    // The server is killed and started again.
    server.signal('SIGKILL');
    await server.ended;
    await field().fill('And arrives tomorrow.');
    await field().press('Enter');
    await page.getByText('Waiting for the connection').waitFor();
    await start(server.dataDir);
    await boris.sendMessage('Thanks!');
    await expect.poll(boris.readTexts, WAIT).toContain('And arrives tomorrow.');
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    const { thread } = await shop.asOwner('get_chat', { chat_id: boris.chatId });
    const messages = thread.events.filter(({ type }: { type: string }) => type === 'message');
    const texts: string[] = messages.map(({ text }: { text: string }) => text);
    await expect.poll(shown, WAIT).toEqual(texts);
    expect(new Set(texts).size).toBe(texts.length);
    expect(await page.locator('[data-unsent]').count()).toBe(0);
  });

  it('shows markup from customers as text everywhere', async () => {
    const eve = await startChat(PAYLOADS[0]!, PAYLOADS[0]!, {
      session_fields: PAYLOADS.map((payload, index) => ({ [`${index} ${payload}`]: payload })),
    });
    for (const payload of PAYLOADS) await eve.sendMessage(payload);
    await shop.asOwner('send_event', {
      chat_id: eve.chatId,
      event: {
        type: 'rich_message',
        template_id: 'cards',
        elements: [{ title: PAYLOADS[1], subtitle: PAYLOADS[3], buttons: [{ text: PAYLOADS[2], postback_id: 'x' }] }],
      },
    });
    await page.goto(`${link.url}/console/chats/${eve.chatId}`);
    await page.getByRole('heading', { name: PAYLOADS[0]!, level: 2 }).waitFor();
    for (const payload of PAYLOADS) await log().getByText(payload, { exact: true }).first().waitFor();
    for (const [index, payload] of PAYLOADS.entries())
      await page.getByText(`${index} ${payload}`, { exact: true }).waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await log().locator('img, script, svg[onload]').count()).toBe(0);
  });

  it('can be used with the keyboard alone', async () => {
    const kim = await startChat('Kim', 'Can I pay by card?');
    await list().getByRole('link', { name: 'Kim' }).waitFor();
    await page.goto(`${link.url}/console/chats`);
    await list().getByRole('link', { name: 'Kim' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Kim', level: 2 }).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('You can.');
    await page.keyboard.press('Enter');
    await expect.poll(kim.readTexts, WAIT).toContain('You can.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.keyboard.type('Pays by card.');
    await page.keyboard.press('Enter');
    await log().getByText('Pays by card.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await page.getByRole('dialog', { name: 'End this chat?' }).waitFor();
    await page.keyboard.press('Enter');
    await log().getByText('This conversation has ended').waitFor();
    expect(await kim.readTexts()).not.toContain('Pays by card.');
  });

  it('asks signed-out agents to sign in and returns to the same page', async () => {
    const path = new URL(page.url()).pathname;
    const sessions: { id: string }[] = await shop.asOwner('list_sessions', {});
    for (const { id } of sessions) await shop.asOwner('revoke_session', { id });
    await fillSignIn(page, shop.login);
    await page.getByRole('heading', { name: 'Kim', level: 2 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.getByRole('button', { name: /profile menu/ }).click();
    await page.getByRole('dialog', { name: 'Profile menu' }).waitFor();
    await expectAccessible(page, 'the profile menu');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
