import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { expectAccessible, hasBrowser, launchBrowser, openShop, signIn, watchComplaints } from './console-fixture.ts';
import {
  createEndedChat,
  licenseOf,
  newVisitor,
  openMailbox,
  PAYLOADS,
  type Shop,
  sendMail,
} from './console-work-fixture.ts';
import { type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const WAIT = { timeout: 60_000 };
const DOMAIN = 'in.parley.test';

describe.skipIf(!hasBrowser)('visitors, archives, tickets and reports, in a real browser', () => {
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  let server: ServerProcess;
  let browser: Browser;
  let shop: Shop;
  let page: Page;
  let browserErrors: string[];
  let license: number;
  let mailPort: number;

  beforeAll(async () => {
    mailbox = await openMailbox();
    const settings = { SMTP_URL: mailbox.url, MAIL_IN_PORT: '0', MAIL_IN_HOST: '127.0.0.1', MAIL_IN_DOMAIN: DOMAIN };
    const database = toDatabaseUrl(await createTestDatabase());
    [browser, server] = await Promise.all([
      launchBrowser(),
      startProcess({ DATABASE_URL: database, RATE_LIMITS: 'off', ...settings }),
    ]);
    mailPort = Number((await server.process.waitForOutput(/Mail in \(SMTP\)\s+127\.0\.0\.1:(\d+)/))[1]);
    shop = await openShop(server.url, 'workshop');
    license = await licenseOf(server.url, shop);
    await shop.rest('POST', '/groups', { name: 'Sales', agents: [shop.login] });
    await shop.asOwner('set_routing_status', { status: 'accepting_chats' });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    page.setDefaultTimeout(WAIT.timeout);
    browserErrors = watchComplaints(page);
    await signIn(page, server.url, shop.login, '/console/visitors');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await mailbox?.close();
  });

  const go = (path: string) => page.goto(`${server.url}/console${path}`);
  const row = (name: string | RegExp): Locator => page.getByRole('row', { name });
  const saveFile = async (button: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return readFileSync(await download.path(), 'utf8');
  };
  /** No payload became markup. */
  const expectOnlyText = async (): Promise<void> => {
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('img[src="x"], a[href^="javascript:"]').count()).toBe(0);
    expect(browserErrors).toEqual([]);
  };

  it('shows visitors live, and lets an agent send a greeting or start a chat', async () => {
    await shop.rest('POST', '/greetings', {
      name: 'Offer help',
      rules: [{ type: 'url_current', value: 'https://nowhere.test', operator: 'equals' }],
      properties: { 'greeting-message_text': 'May we help you?' },
    });
    await page.getByText('No visitors online').waitFor();
    const [zoe, adam] = [newVisitor(server.url, license), newVisitor(server.url, license)];
    const home = { url: 'https://workshop.test/', title: PAYLOADS.script };
    await zoe.sendBeacon('view', home, { variables: [{ name: PAYLOADS.image, value: PAYLOADS.script }] });
    await adam.sendBeacon('view', { url: 'https://workshop.test/lamps', title: 'Lamps' }, { referrer: PAYLOADS.link });
    await shop.asOwner('update_customer', { id: zoe.id, name: PAYLOADS.image });
    await shop.asOwner('update_customer', { id: adam.id, name: 'Adam' });
    await row(/Adam/).waitFor();
    await row(PAYLOADS.image).waitFor();
    await adam.sendBeacon('view', { url: 'https://workshop.test/cups', title: 'Cups' });
    await row(/Adam.*Cups/).waitFor();
    await expectAccessible(page, 'the table of visitors');

    await page.getByRole('searchbox', { name: 'Search visitors' }).fill('cups');
    await page.getByText('1 of 2 visitors').waitFor();
    await page.reload();
    await page.getByText('1 of 2 visitors').waitFor();
    await row(/Adam/).press('Enter');
    const panel = page.getByRole('region', { name: 'About Adam' });
    await panel.getByText('https://workshop.test/lamps').waitFor();
    await panel.getByText('No chats yet.').waitFor();
    await expectAccessible(page, 'a visitor');
    await panel.getByRole('button', { name: 'Send greeting' }).click();
    await page.getByRole('menuitem', { name: /Offer help/ }).click();
    await row(/Adam.*Invited/).waitFor();
    await adam.sendBeacon('leave', { url: 'https://workshop.test/cups', title: 'Cups' });

    await page.getByRole('searchbox', { name: 'Search visitors' }).fill('');
    await row(PAYLOADS.image).click();
    await page.getByRole('region', { name: `About ${PAYLOADS.image}` }).waitFor();
    await expectOnlyText();
    await row(/Adam/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.waitForURL(/\/console\/chats\/\w+/);
    await shop.asOwner('deactivate_chat', { id: page.url().split('/').at(-1) });
  });

  it('searches the archive, shows transcripts, and exports and emails them', async () => {
    await createEndedChat(shop, {
      name: '=1+1',
      said: ['Is the lantern bright?', 'Then I take it.'],
      tag: 'sale',
      score: 1,
    });
    await createEndedChat(shop, { name: PAYLOADS.image, said: [PAYLOADS.script, PAYLOADS.link], score: 0 });
    await go('/archives');
    const list = page.getByRole('list', { name: 'Chats' });
    await list.getByRole('link', { name: /=1\+1/ }).waitFor();
    await expectAccessible(page, 'the archive');

    await page.getByRole('searchbox', { name: 'Search messages' }).fill('lanter');
    await page.getByText('1 chat', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 chat', { exact: true }).waitFor();
    await list.getByRole('link').focus();
    await page.keyboard.press('Enter');
    const transcript = page.getByRole('log', { name: 'Transcript' });
    await transcript.getByText('Is the lantern bright?').waitFor();
    await transcript.getByText('Private note').waitFor();
    await transcript.getByText('Let me look.').waitFor();
    await expectAccessible(page, 'a chat of the archive');

    await page.getByRole('combobox', { name: 'Tags' }).fill('lamps');
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await list.getByText('lamps').waitFor();
    await page.getByRole('button', { name: 'Send transcript' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('boss@home.test');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => mailbox.mailsTo('boss@home.test').length, WAIT).toBe(1);
    expect(mailbox.mailsTo('boss@home.test')[0]!.text).toContain('Is the lantern bright?');

    await go('/archives');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Rating', { exact: true }).selectOption('Rated bad');
    await expectAccessible(page, 'the filters of the archive');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('1 chat', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('rate')).toBe('rated_bad');
    await list.getByRole('link').click();
    await transcript.getByText(PAYLOADS.script, { exact: true }).waitFor();
    await expectOnlyText();

    await go('/archives');
    await list.getByRole('link', { name: /=1\+1/ }).waitFor();
    const file = await saveFile('Export CSV');
    expect(file).toContain(`"'=1+1"`);
    expect(file).toContain('Then I take it.');
  });

  it('replies to an email, adds notes, assigns, merges and creates tickets', async () => {
    await go('/tickets');
    await page.getByText('No tickets').waitFor();
    await sendMail(mailPort, {
      ...{ from: `"${PAYLOADS.link}" <ann@home.test>`, to: `${license}@${DOMAIN}`, subject: PAYLOADS.image },
      ...{ text: `The cup is broken ${PAYLOADS.script}`, file: `${PAYLOADS.image.replaceAll('"', '')}.txt` },
      html: `<p>The cup is <b>broken</b></p>${PAYLOADS.image}<script>parent.ran=1</script><a href="${PAYLOADS.link}">x</a>`,
    });
    const list = page.getByRole('list', { name: 'Tickets' });
    await list.getByRole('link', { name: PAYLOADS.image }).click();
    const ticket = page.getByRole('region', { name: /^Ticket / });
    await ticket.getByText(`The cup is broken ${PAYLOADS.script}`).waitFor();
    await ticket.getByRole('link', { name: /\.txt$/ }).waitFor();
    await expectAccessible(page, 'a ticket');
    await ticket.getByRole('button', { name: 'Show original' }).click();
    await page.frameLocator('iframe[title="Original email"]').locator('b', { hasText: 'broken' }).waitFor();
    await expectOnlyText();

    await ticket.getByRole('textbox', { name: 'Reply' }).fill('We send you another one.');
    await ticket.getByRole('textbox', { name: 'Reply' }).press('Control+Enter');
    await expect.poll(() => mailbox.mailsTo('ann@home.test').length, WAIT).toBe(1);
    expect(mailbox.mailsTo('ann@home.test')[0]!.text).toContain('We send you another one.');
    await ticket.getByText('changed the status from open to pending').waitFor();
    await list.getByRole('link').waitFor({ state: 'detached' });

    await ticket.getByText('Private note', { exact: true }).click();
    await ticket.getByRole('textbox', { name: 'Private note' }).fill('The third one this week.');
    await ticket.getByRole('button', { name: 'Add note' }).click();
    await ticket.getByText('Private note', { exact: true }).nth(1).waitFor();
    await ticket.getByRole('button', { name: 'Assign to me' }).click();
    await ticket.getByText(/assigned it to Olga Owner/).waitFor();
    await ticket.getByRole('combobox', { name: 'Tags' }).fill('cup');
    await ticket.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await ticket.getByText(/changed the tags from none to cup/).waitFor();
    expect(mailbox.mailsTo('ann@home.test')).toHaveLength(1);

    await page.getByRole('button', { name: 'New ticket' }).click();
    await page.getByLabel('Requester email').fill('ann@home.test');
    await page.getByLabel('Subject').fill('The cup again');
    await page.getByLabel('Description').fill('She called.');
    await expectAccessible(page, 'making a ticket');
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await ticket.getByRole('heading', { name: 'The cup again' }).waitFor();
    const mergedUrl = page.url();
    await page.getByRole('button', { name: /^Merge/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /ann@home\.test/ })
      .click();
    await ticket.getByRole('heading', { name: PAYLOADS.image }).waitFor();
    await ticket.getByText('She called.').waitFor();
    await page.goto(mergedUrl);
    await page.getByRole('button', { name: 'Undo merge' }).click();
    await ticket.getByRole('textbox', { name: 'Reply' }).waitFor();

    await go('/tickets?status=all');
    await list.getByRole('link').nth(1).waitFor();
    await shop.asOwner('create_ticket', { requester: { mail: 'max@home.test' }, subject: 'By API', message: 'Now' });
    await list.getByRole('link', { name: /By API/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search tickets' }).fill('called');
    await page.getByText('1 ticket', { exact: true }).waitFor();
    await expectAccessible(page, 'the list of tickets');
    await expectOnlyText();
  });

  it('shows every report with the numbers of the API', async () => {
    await go('/reports');
    const nav = page.getByRole('navigation', { name: 'Reports' });
    const reports = nav.getByRole('link');
    await reports.first().waitFor();
    const names = await reports.allInnerTexts();
    expect(names).toHaveLength(21);
    for (const name of names) {
      await nav.getByRole('link', { name, exact: true }).click();
      const report = page.getByRole('region', { name, exact: true });
      await report.getByRole('definition').or(report.getByText('No data for this period')).first().waitFor();
    }
    await expectAccessible(page, 'a ranking');

    const day = new Date().toISOString().slice(0, 10);
    const zone = 'Etc%2FUTC';
    await go(`/reports/chat-ratings?range=custom&from=${day}&to=${day}&zone=${zone}`);
    const answer: Record<string, { good: number; bad: number; chats: number }> = await shop.rest(
      'GET',
      `/reports/chats/ratings?date_from=${day}&date_to=${day}&timezone=${zone}`,
    );
    const sum = (read: (bucket: { good: number; bad: number; chats: number }) => number): number =>
      Object.values(answer).reduce((total, bucket) => total + read(bucket), 0);
    await page.getByRole('definition').first().waitFor();
    expect(await page.getByRole('definition').allInnerTexts()).toEqual(
      [sum(({ good }) => good), sum(({ bad }) => bad), sum(({ chats }) => chats)].map(String),
    );
    expect(sum(({ good }) => good)).toBe(1);
    expect(await page.getByRole('table').getByRole('row').count()).toBe(Object.keys(answer).length + 1);
    await page.getByRole('img', { name: /^Chart: Chat satisfaction/ }).waitFor();
    await expectAccessible(page, 'a chart');
    const lines = (await saveFile('Export CSV')).trim().split('\r\n');
    expect(lines[0]!.replace('\uFEFF', '')).toBe('Time,Good,Bad,Chats');
    expect(lines.at(-1)).toBe(`Total,1,1,${sum(({ chats }) => chats)}`);
    expect(browserErrors).toEqual([]);
  });

  it('fits a phone screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/visitors', '/archives', '/tickets?status=all', '/reports']) {
      await go(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(content, path).toBeLessThanOrEqual(screen!);
      await expectAccessible(page, `${path} on a phone`);
    }
    await go('/tickets?status=all');
    await page.getByRole('list', { name: 'Tickets' }).getByRole('link').first().click();
    await page.getByRole('textbox', { name: 'Reply' }).waitFor();
    expect(await page.getByRole('list', { name: 'Tickets' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Close ticket' }).click();
    await page.getByRole('list', { name: 'Tickets' }).waitFor();
  });
});
