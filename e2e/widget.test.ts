import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { expectAccessible, hasBrowser, launchBrowser, watchComplaints } from './console-fixture.ts';
import { toDatabaseUrl } from './start-process.ts';
import { openWidgetFixture, sendMessage, shownTexts, startChat, visit, type WidgetFixture } from './widget-fixture.ts';

/** Long enough for a busy machine with two cores. */
const PATIENCE = { timeout: 60_000 };

const poll = <T>(read: () => T) => expect.poll(read, PATIENCE);
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Must be shown as text wherever a user can enter them. */
const PAYLOADS = [
  '<img src=x onerror="window.ran=1">',
  '<script>window.ran=1</script>',
  '"><svg onload=window.ran=1>',
  'javascript:window.ran=1',
  '<a href="javascript:window.ran=1">x</a>',
];

describe.skipIf(!hasBrowser)('the widget in a real browser', () => {
  let browser: Browser;
  let fixture: WidgetFixture;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const settings = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()) };
    [browser, fixture] = await Promise.all([launchBrowser(), openWidgetFixture(settings)]);
  });
  afterAll(async () => {
    await browser?.close();
    await fixture?.close();
  });
  beforeEach(async () => {
    await fixture.shop.rest('PUT', `/agents/${fixture.shop.login}`, { max_chats_count: 50 });
    await setStatus('accepting_chats');
    page = await visit(browser, fixture);
    complaints = watchComplaints(page);
  });
  afterEach(async () => {
    expect(complaints.filter((one) => !/ERR_|WebSocket/.test(one))).toEqual([]);
    // An open chat would take capacity from the following tests.
    const { chatId, threadId } = (await page.evaluate('window.ParleyWidget.get("chat_data")')) as Record<
      string,
      string
    >;
    if (threadId) await fixture.shop.asOwner('deactivate_chat', { id: chatId, ignore_requester_presence: true });
    await page.context().close();
  });

  const setStatus = (status: string) => fixture.shop.asOwner('set_routing_status', { status });
  const sendEvent = (chat_id: string, event: object) => fixture.shop.asOwner('send_event', { chat_id, event });
  const reply = (chatId: string, text: string) => sendEvent(chatId, { type: 'message', text });

  /** The id of the chat on this page. */
  const chatOf = async (one: Page): Promise<string> => {
    const find = () => one.evaluate('window.ParleyWidget.get("chat_data").chatId');
    await poll(find).toBeTruthy();
    return (await find()) as string;
  };
  const storedTexts = async (chat_id: string): Promise<string[]> => {
    const { thread } = await fixture.shop.asOwner('get_chat', { chat_id });
    return thread.events.flatMap(({ type, text }: { type: string; text: string }) =>
      type === 'message' ? [text] : [],
    );
  };
  const expectInSync = async (one: Page, chatId: string, count: number): Promise<void> => {
    await poll(() => storedTexts(chatId)).toHaveLength(count);
    const stored = await storedTexts(chatId);
    await poll(() => shownTexts(one)).toEqual(stored);
    await poll(() => one.locator('.unsent').count()).toBe(0);
  };

  it('covers a chat from the pre-chat form through messages, cards and files to rating and transcript', async () => {
    await page.locator('.bubble').waitFor();
    expect(await page.evaluate('Object.keys(window).filter((key) => /parley|livechat/i.test(key)).toSorted()')).toEqual(
      ['LiveChatWidget', 'ParleyWidget'],
    );
    await page.locator('.bubble').click();
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.getByText('This field is required').waitFor();
    await expectAccessible(page, 'the pre-chat form');
    await page.getByLabel('Email').fill('zoe@home.test');
    await page.getByLabel('Name').fill('Zoe');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await sendMessage(page, 'Is it https://lamps.test/oak?');
    const chatId = await chatOf(page);
    await poll(() => storedTexts(chatId)).toEqual(['Is it https://lamps.test/oak?']);
    expect(await page.locator('.event-body a').last().getAttribute('href')).toBe('https://lamps.test/oak');
    await fixture.shop.asOwner('send_typing_indicator', { chat_id: chatId, is_typing: true });
    await page.getByText('Olga Owner is typing…').waitFor();
    await reply(chatId, 'It is.');
    await sendEvent(chatId, {
      type: 'rich_message',
      template_id: 'cards',
      elements: [{ title: 'Oak lamp', subtitle: '14 left', buttons: [{ text: 'Keep one', postback_id: 'keep' }] }],
    });
    await page.getByRole('button', { name: 'Keep one' }).click();
    await poll(() => page.getByRole('button', { name: 'Keep one' }).getAttribute('aria-pressed')).toBe('true');
    await sendEvent(chatId, {
      type: 'rich_message',
      template_id: 'quick_replies',
      elements: [{ title: 'More?', buttons: [{ text: 'No, thanks', postback_id: 'no' }] }],
    });
    await page.getByRole('button', { name: 'No, thanks' }).click();
    await poll(() => page.getByRole('button', { name: 'No, thanks' }).count()).toBe(0);
    await page.locator('input[type=file]').setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: PICTURE });
    await page.locator('.picture img').waitFor(PATIENCE);
    await page.getByText('Delivered').waitFor();
    const seen = new Date(Date.now() + 60_000).toISOString();
    await fixture.shop.asOwner('mark_events_as_seen', { chat_id: chatId, seen_up_to: seen });
    await page.getByText('Read', { exact: true }).waitFor();
    await expectAccessible(page, 'the conversation');

    await fixture.shop.asOwner('deactivate_chat', { id: chatId });
    await page.getByText('This chat has ended').waitFor();
    await page.getByText('Good', { exact: true }).click();
    await page.getByLabel('Add a comment').fill('Kind');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Thanks for your rating').first().waitFor();
    await expectAccessible(page, 'after the chat');
    const { thread } = await fixture.shop.asOwner('get_chat', { chat_id: chatId });
    expect(thread.properties.rating).toMatchObject({ score: 1, comment: 'Kind' });
    await page.getByRole('button', { name: 'Email transcript' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe('zoe@home.test');
    // The keyboard focus moves to the field.
    expect(await page.locator('.transcript input:focus').count()).toBe(1);
    await page.getByRole('button', { name: 'Email transcript' }).click();
    await page.getByText('Transcript sent to zoe@home.test').waitFor();
    const mails = async () => (await fetch(`${fixture.directUrl}/dev/mail`)).text();
    await poll(mails).toContain('zoe@home.test');

    // A new thread continues the same chat.
    await page.getByRole('button', { name: 'Start new chat' }).click();
    await page.getByRole('button', { name: 'Previous chats' }).click();
    await page.locator('.history button').click();
    await page.getByText('It is.').waitFor();
    await page.getByRole('button', { name: 'Start new chat' }).click();
    await page.getByRole('button', { name: 'Start chat' }).click();
    await poll(async () => (await fixture.shop.asOwner('get_chat', { chat_id: chatId })).thread.active).toBe(true);
    await page.reload();
    await page.getByRole('button', { name: 'Load older' }).click();
    await page.getByText('It is.').waitFor();
  });

  it('shows the queue position, and creates a ticket when no agent is online', async () => {
    await fixture.shop.rest('PUT', `/agents/${fixture.shop.login}`, { max_chats_count: 1 });
    const other = await fixture.shop.newCustomer({ name: 'First' });
    const before = await other.act('start_chat', { chat: { thread: { events: [{ type: 'message', text: 'me' }] } } });
    await startChat(page, 'Quinn');
    await page.getByText('Your position in the queue: 1').waitFor();
    await expectAccessible(page, 'the queue');
    await fixture.shop.rest('PUT', `/agents/${fixture.shop.login}`, { max_chats_count: 50 });
    await other.act('deactivate_chat', { id: before.chat_id });
    await poll(() => page.getByText('Your position in the queue').count()).toBe(0);

    await setStatus('not_accepting_chats');
    const late = await visit(browser, fixture, 390);
    await late.locator('.bubble').click();
    await late.getByLabel('Email').fill('late@home.test');
    await late.getByLabel('Subject').fill('At night');
    await late.getByRole('textbox', { name: 'Message' }).fill('Is anybody there?');
    await expectAccessible(late, 'the offline form');
    await late.locator('form button').click();
    await late.getByText('We’ll reply to late@home.test').waitFor();
    await late.context().close();
    const { tickets } = await fixture.shop.rest('GET', '/tickets');
    expect(tickets).toHaveLength(1);
    expect(tickets[0]).toMatchObject({ subject: 'At night', requester: { mail: 'late@home.test' } });
  });

  it('shows the same conversation after a reload and in two tabs', async () => {
    await startChat(page, 'Tara');
    await sendMessage(page, 'one');
    const chatId = await chatOf(page);
    await reply(chatId, 'two');
    await expectInSync(page, chatId, 2);
    await page.reload();
    await expectInSync(page, chatId, 2);
    const second = await page.context().newPage();
    await second.goto(fixture.host.url);
    await second.locator('.bubble').click();
    await expectInSync(second, chatId, 2);
    await sendMessage(second, 'three');
    await reply(chatId, 'four');
    await sendMessage(page, 'five');
    for (const tab of [page, second]) await expectInSync(tab, chatId, 5);
    await second.close();
    await page.getByLabel('Minimize').click();
    await reply(chatId, 'six');
    await poll(() => page.locator('.bubble').getAttribute('aria-label')).toContain('(1)');
    await page.locator('.bubble').click();
    await expectInSync(page, chatId, 6);
  });

  it('delivers every message exactly once despite lost connections and a server restart', async () => {
    await startChat(page, 'Cora');
    await sendMessage(page, 'before');
    const chatId = await chatOf(page);
    await expectInSync(page, chatId, 1);
    fixture.link.cut();
    await sendMessage(page, 'said into the dark');
    await sendMessage(page, 'and once more');
    await reply(chatId, 'answered meanwhile');
    await page.getByText('Waiting to send').first().waitFor();
    await poll(() => page.locator('.unsent').count()).toBe(2);
    fixture.link.mend();
    await expectInSync(page, chatId, 4);

    await Promise.all([fixture.restart(), sendMessage(page, 'while it restarts')]);
    await reply(chatId, 'back again');
    await expectInSync(page, chatId, 6);

    // Unsent messages survive a reload.
    fixture.link.cut();
    await sendMessage(page, 'kept');
    await poll(() => page.locator('.unsent').count()).toBe(1);
    const kept = page.waitForLoadState('load');
    fixture.link.mend();
    await page.reload();
    await kept;
    await expectInSync(page, chatId, 7);
  });

  it('catches up after the browser was suspended', async () => {
    await startChat(page, 'Sia');
    await sendMessage(page, 'before');
    const chatId = await chatOf(page);
    await expectInSync(page, chatId, 1);
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    fixture.link.cut();
    await reply(chatId, 'Are you there?');
    await reply(chatId, 'Sleep well');
    fixture.link.mend();
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await expectInSync(page, chatId, 3);
    await sendMessage(page, 'Good morning');
    await expectInSync(page, chatId, 4);
  });

  it('shows markup and script URLs from users as plain text', async () => {
    const owner = `/agents/${fixture.shop.login}`;
    await fixture.shop.rest('PUT', owner, { name: PAYLOADS[0], job_title: PAYLOADS[2] });
    await startChat(page, 'Xena');
    const chatId = await chatOf(page);
    for (const text of PAYLOADS) {
      await sendMessage(page, text);
      await reply(chatId, text);
      await sendEvent(chatId, {
        type: 'rich_message',
        template_id: 'cards',
        elements: [{ title: text, subtitle: text, buttons: [{ text, type: 'url', value: text, postback_id: text }] }],
      });
    }
    await page.locator('input[type=file]').setInputFiles({
      name: '<img src=x onerror=window.ran=1>.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('x'),
    });
    await page.locator('.event-body a.file').waitFor(PATIENCE);
    await poll(() => shownTexts(page)).toHaveLength(2 * PAYLOADS.length);
    expect((await shownTexts(page)).toSorted()).toEqual([...PAYLOADS, ...PAYLOADS].toSorted());
    expect(
      await page.locator('.log :is(script, iframe, svg[onload], img[src="x"], [href^="javascript"])').count(),
    ).toBe(0);
    expect(await page.locator('.header h2').textContent()).toBe(PAYLOADS[0]);
    expect(await page.locator('.header small').textContent()).toBe(PAYLOADS[2]);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await fixture.shop.rest('PUT', owner, { name: 'Olga Owner', job_title: 'Owner' });
  });

  it('shows greetings and emits events to the JavaScript API', async () => {
    const rules = [{ type: 'url_current', operator: 'contains', value: 'greet-me' }];
    const properties = { 'greeting-message_text': PAYLOADS[0] };
    await fixture.shop.rest('POST', '/greetings', { name: 'Hello', properties, rules });
    await page.locator('.bubble').waitFor();
    await page.evaluate(`
      window.emitted = [];
      for (const name of ['ready', 'visibility_changed', 'greeting_displayed', 'new_event', 'customer_status_changed'])
        window.ParleyWidget.on(name, (data) => window.emitted.push([name, data.text ?? data.status ?? data.visibility]));
      window.ParleyWidget.call('set_customer_name', 'Grete');
      window.ParleyWidget.call('set_session_variables', { plan: 'gold' });
      history.pushState({}, '', '/greet-me');`);
    await page.locator('.greeting').waitFor(PATIENCE);
    expect(await page.locator('.greeting .text').textContent()).toBe(PAYLOADS[0]);
    await expectAccessible(page, 'a greeting');
    await page.locator('.greeting .open').click();
    await page.getByLabel('Email').fill('grete@home.test');
    expect(await page.getByLabel('Name').inputValue()).toBe('Grete');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await reply(await chatOf(page), 'Hello, Grete');
    await page.getByText('Hello, Grete').waitFor();
    expect(await page.evaluate('window.emitted')).toEqual([
      ['ready', undefined],
      ['greeting_displayed', undefined],
      ['customer_status_changed', 'invited'],
      ['visibility_changed', 'maximized'],
      ['customer_status_changed', 'chatting'],
      ['new_event', 'Hello, Grete'],
    ]);
    expect(await page.evaluate('window.ParleyWidget.get("customer_data").sessionVariables')).toEqual({ plan: 'gold' });
  });

  it('supports keyboard-only use, phone screens and right-to-left text', async () => {
    fixture.embedWith('data-dir="rtl"');
    const phone = await visit(browser, fixture, 390);
    fixture.embedWith('');
    await phone.locator('.bubble').waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await phone.keyboard.press(key);
    };
    const focused = () => phone.evaluate('document.activeElement.shadowRoot?.activeElement?.id');
    await press('Tab', 'Tab', 'Enter');
    await poll(focused).toBe('field-name');
    await phone.keyboard.type('Kim');
    await press('Tab');
    await phone.keyboard.type('kim@home.test');
    await press('Tab', 'Enter');
    await phone.locator('textarea.message:focus').waitFor(PATIENCE);
    await phone.keyboard.type('Only keys');
    await press('Enter');
    await phone.locator('.mine .text', { hasText: 'Only keys' }).waitFor();
    const panel = (await phone.locator('.panel').boundingBox())!;
    expect([panel.x, panel.y, panel.width, panel.height]).toEqual([0, 0, 390, 800]);
    const own = (await phone.locator('.mine .event-body').last().boundingBox())!;
    expect(own.x).toBeLessThan(60);
    await expectAccessible(phone, 'the widget on a phone');
    await press('Escape');
    await poll(() => phone.locator('.panel').count()).toBe(0);
    expect(await phone.evaluate('document.activeElement.shadowRoot.activeElement.className')).toBe('bubble');
    await phone.context().close();
  });
});

describe('the widget bundle', () => {
  const folder = new URL('../dist/widget/', import.meta.url);
  const sizeOf = (name: string): number => gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length;
  const scripts = () => readdirSync(folder).filter((name) => name.endsWith('.js'));

  it('stays within its size budget: 3 KB for the loader, 30 KB in total', () => {
    expect(sizeOf('widget.js')).toBeLessThanOrEqual(3 * 1024);
    expect(scripts().reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(30 * 1024);
  });

  it('does not use eval', () => {
    for (const name of scripts())
      expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/\beval\(|new Function/);
  });
});
