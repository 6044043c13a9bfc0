import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { expectAccessible, hasBrowser, launchBrowser, watchComplaints } from './console-world.ts';
import { toDatabaseUrl } from './start-process.ts';
import { beginChat, openWidgetWorld, say, shownTexts, visit, type WidgetWorld } from './widget-world.ts';

/** Two cores may have other things to do. */
const PATIENCE = { timeout: 30_000 };
const LONG = { timeout: 120_000 };

const poll = <T>(read: () => T) => expect.poll(read, PATIENCE);
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What must stay text, wherever somebody can put it. */
const PAYLOADS = [
  '<img src=x onerror="window.ran=1">',
  '<script>window.ran=1</script>',
  '"><svg onload=window.ran=1>',
  'javascript:window.ran=1',
  '<a href="javascript:window.ran=1">x</a>',
];

describe.skipIf(!hasBrowser)('the widget, in a real browser', { timeout: 90_000 }, () => {
  let browser: Browser;
  let world: WidgetWorld;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const settings = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()) };
    [browser, world] = await Promise.all([launchBrowser(), openWidgetWorld(settings)]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  beforeEach(async () => {
    await world.shop.rest('PUT', `/agents/${world.shop.login}`, { max_chats_count: 50 });
    await setStatus('accepting_chats');
    page = await visit(browser, world);
    complaints = watchComplaints(page);
  });
  afterEach(async () => {
    expect(complaints.filter((one) => !/ERR_|WebSocket/.test(one))).toEqual([]);
    // Whoever has a chat open takes room from those who come after.
    const { chatId, threadId } = (await page.evaluate('window.ParleyWidget.get("chat_data")')) as Record<
      string,
      string
    >;
    if (threadId) await world.shop.asOwner('deactivate_chat', { id: chatId, ignore_requester_presence: true });
    await page.context().close();
  });

  const setStatus = (status: string) => world.shop.asOwner('set_routing_status', { status });
  const tell = (chat_id: string, event: object) => world.shop.asOwner('send_event', { chat_id, event });
  const answer = (chatId: string, text: string) => tell(chatId, { type: 'message', text });

  /** The chat of the visitor of this page, as agents have it. */
  const chatOf = async (one: Page): Promise<string> => {
    const find = () => one.evaluate('window.ParleyWidget.get("chat_data").chatId');
    await poll(find).toBeTruthy();
    return (await find()) as string;
  };
  const spoken = async (chat_id: string): Promise<string[]> => {
    const { thread } = await world.shop.asOwner('get_chat', { chat_id });
    return thread.events.flatMap(({ type, text }: { type: string; text: string }) =>
      type === 'message' ? [text] : [],
    );
  };
  const expectSame = async (one: Page, chatId: string, count: number): Promise<void> => {
    await poll(() => spoken(chatId)).toHaveLength(count);
    const said = await spoken(chatId);
    await poll(() => shownTexts(one)).toEqual(said);
    await poll(() => one.locator('.unsent').count()).toBe(0);
  };

  it('goes from the form over messages, a card, an answer and a file to a rating and a mail', LONG, async () => {
    await page.locator('.bubble').waitFor();
    expect(await page.evaluate('Object.keys(window).filter((key) => /parley|livechat/i.test(key)).toSorted()')).toEqual(
      ['LiveChatWidget', 'ParleyWidget'],
    );
    await page.locator('.bubble').click();
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.getByText('This field is required').waitFor();
    await expectAccessible(page, 'the prechat form');
    await page.getByLabel('Email').fill('zoe@home.test');
    await page.getByLabel('Name').fill('Zoe');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await say(page, 'Is it https://lamps.test/oak?');
    const chatId = await chatOf(page);
    await poll(() => spoken(chatId)).toEqual(['Is it https://lamps.test/oak?']);
    expect(await page.locator('.said a').last().getAttribute('href')).toBe('https://lamps.test/oak');
    await world.shop.asOwner('send_typing_indicator', { chat_id: chatId, is_typing: true });
    await page.getByText('Olga Owner is typing…').waitFor();
    await answer(chatId, 'It is.');
    await tell(chatId, {
      type: 'rich_message',
      template_id: 'cards',
      elements: [{ title: 'Oak lamp', subtitle: '14 left', buttons: [{ text: 'Keep one', postback_id: 'keep' }] }],
    });
    await page.getByRole('button', { name: 'Keep one' }).click();
    await poll(() => page.getByRole('button', { name: 'Keep one' }).getAttribute('aria-pressed')).toBe('true');
    await tell(chatId, {
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
    await world.shop.asOwner('mark_events_as_seen', { chat_id: chatId, seen_up_to: seen });
    await page.getByText('Read', { exact: true }).waitFor();
    await expectAccessible(page, 'the conversation');

    await world.shop.asOwner('deactivate_chat', { id: chatId });
    await page.getByText('This chat has ended').waitFor();
    await page.getByText('Good', { exact: true }).click();
    await page.getByLabel('Add a comment').fill('Kind');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Thanks for your rating').first().waitFor();
    await expectAccessible(page, 'after the chat');
    const { thread } = await world.shop.asOwner('get_chat', { chat_id: chatId });
    expect(thread.properties.rating).toMatchObject({ score: 1, comment: 'Kind' });
    await page.getByRole('button', { name: 'Email transcript' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe('zoe@home.test');
    // Where a keyboard is needed next.
    expect(await page.locator('.transcript input:focus').count()).toBe(1);
    await page.getByRole('button', { name: 'Email transcript' }).click();
    await page.getByText('Transcript sent to zoe@home.test').waitFor();
    const mails = async () => (await fetch(`${world.directUrl}/dev/mail`)).text();
    await poll(mails).toContain('zoe@home.test');

    // Another thread of the same chat begins where the last one ended.
    await page.getByRole('button', { name: 'Start new chat' }).click();
    await page.getByRole('button', { name: 'Previous chats' }).click();
    await page.locator('.history button').click();
    await page.getByText('It is.').waitFor();
    await page.getByRole('button', { name: 'Start new chat' }).click();
    await page.getByRole('button', { name: 'Start chat' }).click();
    await poll(async () => (await world.shop.asOwner('get_chat', { chat_id: chatId })).thread.active).toBe(true);
    await page.reload();
    await page.getByRole('button', { name: 'Load older' }).click();
    await page.getByText('It is.').waitFor();
  });

  it('waits in the queue, and leaves a ticket when nobody is there', LONG, async () => {
    await world.shop.rest('PUT', `/agents/${world.shop.login}`, { max_chats_count: 1 });
    const other = await world.shop.newCustomer({ name: 'First' });
    const before = await other.act('start_chat', { chat: { thread: { events: [{ type: 'message', text: 'me' }] } } });
    await beginChat(page, 'Quinn');
    await page.getByText('Your position in the queue: 1').waitFor();
    await expectAccessible(page, 'the queue');
    await world.shop.rest('PUT', `/agents/${world.shop.login}`, { max_chats_count: 50 });
    await other.act('deactivate_chat', { id: before.chat_id });
    await poll(() => page.getByText('Your position in the queue').count()).toBe(0);

    await setStatus('not_accepting_chats');
    const late = await visit(browser, world, 390);
    await late.locator('.bubble').click();
    await late.getByLabel('Email').fill('late@home.test');
    await late.getByLabel('Subject').fill('At night');
    await late.getByRole('textbox', { name: 'Message' }).fill('Is anybody there?');
    await expectAccessible(late, 'the offline form');
    await late.locator('form button').click();
    await late.getByText('We’ll reply to late@home.test').waitFor();
    await late.context().close();
    const { tickets } = await world.shop.rest('GET', '/tickets');
    expect(tickets).toHaveLength(1);
    expect(tickets[0]).toMatchObject({ subject: 'At night', requester: { mail: 'late@home.test' } });
  });

  it('is one conversation after a reload and in two tabs', LONG, async () => {
    await beginChat(page, 'Tara');
    await say(page, 'one');
    const chatId = await chatOf(page);
    await answer(chatId, 'two');
    await expectSame(page, chatId, 2);
    await page.reload();
    await expectSame(page, chatId, 2);
    const second = await page.context().newPage();
    await second.goto(world.host.url);
    await second.locator('.bubble').click();
    await expectSame(second, chatId, 2);
    await say(second, 'three');
    await answer(chatId, 'four');
    await say(page, 'five');
    for (const tab of [page, second]) await expectSame(tab, chatId, 5);
    await second.close();
    await page.getByLabel('Minimize').click();
    await answer(chatId, 'six');
    await poll(() => page.locator('.bubble').getAttribute('aria-label')).toContain('(1)');
    await page.locator('.bubble').click();
    await expectSame(page, chatId, 6);
  });

  it('misses and doubles nothing when the link is cut and the server restarts', LONG, async () => {
    await beginChat(page, 'Cora');
    await say(page, 'before');
    const chatId = await chatOf(page);
    await expectSame(page, chatId, 1);
    world.link.cut();
    await say(page, 'said into the dark');
    await say(page, 'and once more');
    await answer(chatId, 'answered meanwhile');
    await page.getByText('Waiting to send').first().waitFor();
    await poll(() => page.locator('.unsent').count()).toBe(2);
    world.link.mend();
    await expectSame(page, chatId, 4);

    await Promise.all([world.restart(), say(page, 'while it restarts')]);
    await answer(chatId, 'back again');
    await expectSame(page, chatId, 6);

    // What was not sent outlives the page it was written on.
    world.link.cut();
    await say(page, 'kept');
    await poll(() => page.locator('.unsent').count()).toBe(1);
    const kept = page.waitForLoadState('load');
    world.link.mend();
    await page.reload();
    await kept;
    await expectSame(page, chatId, 7);
  });

  it('catches up after a sleep', LONG, async () => {
    await beginChat(page, 'Sia');
    await say(page, 'before');
    const chatId = await chatOf(page);
    await expectSame(page, chatId, 1);
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    world.link.cut();
    await answer(chatId, 'Are you there?');
    await answer(chatId, 'Sleep well');
    world.link.mend();
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await expectSame(page, chatId, 3);
    await say(page, 'Good morning');
    await expectSame(page, chatId, 4);
  });

  it('shows what others wrote as text, and runs none of it', LONG, async () => {
    const owner = `/agents/${world.shop.login}`;
    await world.shop.rest('PUT', owner, { name: PAYLOADS[0], job_title: PAYLOADS[2] });
    await beginChat(page, 'Xena');
    const chatId = await chatOf(page);
    for (const text of PAYLOADS) {
      await say(page, text);
      await answer(chatId, text);
      await tell(chatId, {
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
    await page.locator('.said a.file').waitFor(PATIENCE);
    await poll(() => shownTexts(page)).toHaveLength(2 * PAYLOADS.length);
    expect((await shownTexts(page)).toSorted()).toEqual([...PAYLOADS, ...PAYLOADS].toSorted());
    expect(
      await page.locator('.log :is(script, iframe, svg[onload], img[src="x"], [href^="javascript"])').count(),
    ).toBe(0);
    expect(await page.locator('.header h2').textContent()).toBe(PAYLOADS[0]);
    expect(await page.locator('.header small').textContent()).toBe(PAYLOADS[2]);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await world.shop.rest('PUT', owner, { name: 'Olga Owner', job_title: 'Owner' });
  });

  it('greets, and tells programs of the page what happens', LONG, async () => {
    const rules = [{ type: 'url_current', operator: 'contains', value: 'greet-me' }];
    const properties = { 'greeting-message_text': PAYLOADS[0] };
    await world.shop.rest('POST', '/greetings', { name: 'Hello', properties, rules });
    await page.locator('.bubble').waitFor();
    await page.evaluate(`
      window.told = [];
      for (const name of ['ready', 'visibility_changed', 'greeting_displayed', 'new_event', 'customer_status_changed'])
        window.ParleyWidget.on(name, (data) => window.told.push([name, data.text ?? data.status ?? data.visibility]));
      window.ParleyWidget.call('set_customer_name', 'Grete');
      window.ParleyWidget.call('set_session_variables', { plan: 'gold' });
      history.pushState({}, '', '/greet-me');`);
    await page.locator('.greeting').waitFor(PATIENCE);
    expect(await page.locator('.greeting .words').textContent()).toBe(PAYLOADS[0]);
    await expectAccessible(page, 'a greeting');
    await page.locator('.greeting .open').click();
    await page.getByLabel('Email').fill('grete@home.test');
    expect(await page.getByLabel('Name').inputValue()).toBe('Grete');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await answer(await chatOf(page), 'Hello, Grete');
    await page.getByText('Hello, Grete').waitFor();
    expect(await page.evaluate('window.told')).toEqual([
      ['ready', undefined],
      ['greeting_displayed', undefined],
      ['customer_status_changed', 'invited'],
      ['visibility_changed', 'maximized'],
      ['customer_status_changed', 'chatting'],
      ['new_event', 'Hello, Grete'],
    ]);
    expect(await page.evaluate('window.ParleyWidget.get("customer_data").sessionVariables')).toEqual({ plan: 'gold' });
  });

  it('can be used by keyboard alone, on a phone, from right to left', LONG, async () => {
    world.embedWith('data-dir="rtl"');
    const phone = await visit(browser, world, 390);
    world.embedWith('');
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
    await phone.locator('.mine .words', { hasText: 'Only keys' }).waitFor();
    const panel = (await phone.locator('.panel').boundingBox())!;
    expect([panel.x, panel.y, panel.width, panel.height]).toEqual([0, 0, 390, 800]);
    const own = (await phone.locator('.mine .said').last().boundingBox())!;
    expect(own.x).toBeLessThan(60);
    await expectAccessible(phone, 'a phone');
    await press('Escape');
    await poll(() => phone.locator('.panel').count()).toBe(0);
    expect(await phone.evaluate('document.activeElement.shadowRoot.activeElement.className')).toBe('bubble');
    await phone.context().close();
  });
});

describe('the files of the widget', () => {
  const folder = new URL('../dist/widget/', import.meta.url);
  const sizeOf = (name: string): number => gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length;
  const scripts = () => readdirSync(folder).filter((name) => name.endsWith('.js'));

  it('are small: the loader at most 3 KB, all together at most 30 KB', () => {
    expect(sizeOf('widget.js')).toBeLessThanOrEqual(3 * 1024);
    expect(scripts().reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(30 * 1024);
  });

  it('need no evaluation of texts', () => {
    for (const name of scripts())
      expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/\beval\(|new Function/);
  });
});
