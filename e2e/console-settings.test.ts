import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { type Receiver, startReceiver } from '#server/testing/http/receiver.ts';
import {
  expectAccessible,
  hasBrowser,
  launchBrowser,
  message,
  openShop,
  PASSWORD,
  signIn,
  watchComplaints,
} from './console-fixture.ts';
import {
  OTHER_PAGES,
  openConsole,
  openWidget,
  PAYLOAD,
  readAll,
  signInWithCode,
  totpCode,
  writePayloads,
} from './console-settings-fixture.ts';
import { type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const WAIT = { timeout: 60_000 };

describe.skipIf(!hasBrowser)('team, settings and the profile, in a real browser', () => {
  let browser: Browser;
  let server: ServerProcess;
  let receiver: Receiver;
  let shop: Awaited<ReturnType<typeof openShop>>;
  let page: Page;
  let browserErrors: string[];
  let { go, navigate, button, save, pick } = {} as ReturnType<typeof openConsole>;

  beforeAll(async () => {
    const database = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()) };
    const starting = startProcess({ ...database, RATE_LIMITS: 'off', ALLOW_PRIVATE_WEBHOOKS: '1' });
    [browser, server, receiver] = await Promise.all([launchBrowser(), starting, startReceiver()]);
    shop = await openShop(server.url, 'lamps');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(WAIT.timeout);
    browserErrors = watchComplaints(page);
    await signIn(page, server.url, shop.login);
    ({ go, navigate, button, save, pick } = openConsole(page, server.url));
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  it('invites an agent, shows errors at their fields, and asks before discarding changes', async () => {
    await go('team');
    await page.getByRole('link', { name: 'Invite agent' }).click();
    await page.getByLabel('Email').fill('not an address');
    await button('Send invitation').click();
    await page.getByText('Enter an email address.').waitFor();
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Email').fill('ada@lamps.test');
    await page.getByLabel('Name').fill('Ada Agent');
    await page.getByRole('link', { name: 'Agents' }).first().click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await save('Send invitation');
    await page.getByRole('link', { name: 'Ada Agent' }).click();
    await page.getByRole('textbox', { name: 'Max concurrent chats' }).fill('3');
    await page.getByText('Administrator', { exact: true }).click();
    await save();
    expect(await shop.rest('GET', '/agents/ada@lamps.test')).toMatchObject({
      max_chats_count: 3,
      permission: 'administrator',
    });
    await page.getByRole('switch', { name: 'Monday' }).click();
    await page.getByLabel('Monday end').fill('18:30');
    await button('Save').click();
    await expectAccessible(page, 'an agent');
    await page.getByRole('alert').getByText('Work schedules are part of the enterprise plan.').waitFor();
  });

  it('creates a group with a member and a fallback', async () => {
    await go('team/groups/new');
    await page.getByLabel('Name').fill('Night shift');
    await page.getByRole('combobox', { name: 'Members' }).click();
    await page.getByRole('option', { name: 'Ada Agent' }).click();
    await page.keyboard.press('Escape');
    await pick('If the group is offline', 'Transfer to All agents');
    await save('Create group');
    const groups = await shop.rest('GET', '/groups');
    const group = groups.find(({ name }: { name: string }) => name === 'Night shift');
    expect(group.agents).toEqual(['ada@lamps.test']);
    expect(await shop.configure('get_group_routing', { group_id: group.id })).toMatchObject({ fallback_group_id: 0 });
  });

  it('creates a greeting with rules using only the keyboard', async () => {
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await go('settings/greetings');
    await page.getByRole('link', { name: 'Add greeting' }).focus();
    await press('Enter');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('To the basket');
    await press('Tab');
    await page.keyboard.type('May we help?');
    expect(await page.getByRole('img', { name: 'Preview: May we help?' }).count()).toBe(1);
    await page.getByRole('textbox', { name: 'Rule 1: seconds' }).focus();
    await press('Control+a');
    await page.keyboard.type('45');
    await button('Add rule').focus();
    await press('Enter');
    await page.getByRole('combobox', { name: 'Rule 2: criterion' }).focus();
    await press('Control+a');
    await page.keyboard.type('Sequence of visited pages');
    await press('ArrowDown', 'Enter');
    await page.getByRole('textbox', { name: 'Page 1: URL' }).focus();
    await page.keyboard.type('/basket');
    await page.getByRole('textbox', { name: 'Page 2: URL' }).focus();
    await page.keyboard.type('/lamps');
    await button('Move page 2 up').focus();
    await press('Enter');
    await expectAccessible(page, 'the rule builder');
    await page.getByLabel('Name').focus();
    await press('Enter');
    await page.getByRole('link', { name: 'To the basket' }).waitFor();
    const [greeting] = await shop.rest('GET', '/greetings');
    expect(greeting.rules).toMatchObject([
      { type: 'visit_time_site', operator: 'greater_or_equal', value: '45' },
      { type: 'url_funnel', urls: [{ url: '/lamps' }, { url: '/basket' }] },
    ]);
  });

  it('saves a canned response, a tag, a goal and routing settings', async () => {
    await go('settings/canned-responses/new');
    await page.getByLabel('Text').fill('Thank you!');
    await page.getByRole('combobox', { name: 'Shortcuts' }).fill('#thanks');
    await page.keyboard.press('Enter');
    await save();
    expect(await shop.rest('GET', '/canned_responses')).toMatchObject([{ text: 'Thank you!', tags: ['thanks'] }]);
    await go('settings/tags');
    await page.getByLabel('New tag').fill('praise');
    await button('Add tag').click();
    await page.getByRole('listitem').getByText('praise').waitFor();
    await go('settings/goals/new');
    await page.getByLabel('Name').fill('Bought');
    await page.getByLabel('Page').fill('lamps.test/thanks');
    await save();
    expect(await shop.rest('GET', '/goals')).toMatchObject([{ name: 'Bought', type: 'url', active: 1 }]);
    await go('settings/routing');
    await page.getByLabel('Close inactive chats after').fill('17');
    await save();
    expect(await shop.configure('get_routing_settings', {})).toMatchObject({ idle_close_minutes: 17 });
  });

  it('applies form and appearance settings to the widget configuration', async () => {
    await go('settings/forms');
    await button('Add field').click();
    await page.getByRole('menuitem', { name: 'Dropdown' }).click();
    await page.getByLabel('Field 4: label').fill('Which lamp?');
    await page.getByLabel('Field 4: option 1').fill('Oak');
    await button('Save').click();
    await page.locator('p', { hasText: /^Required$/ }).waitFor();
    await page.getByLabel('Field 4: option 2').fill('Ash');
    await button('Move field 4 up').click();
    await expectAccessible(page, 'a form');
    await save();
    await go('settings/appearance');
    await page.getByRole('textbox', { name: 'Color' }).fill('#7a3fb8');
    await page.getByText('Dark', { exact: true }).click();
    await page.getByText('Left', { exact: true }).click();
    await expectAccessible(page, 'the appearance');
    await save();
    expect(await page.getByText(`data-organization="${shop.organizationId}"`).count()).toBe(1);
    const ofWidget = await openWidget(server.url, shop.organizationId);
    const { config_version: version } = await ofWidget('get_dynamic_configuration');
    const { appearance, prechat_form } = await ofWidget('get_configuration', { version });
    expect(appearance).toMatchObject({ accent_color: '#7a3fb8', theme: 'dark', position: 'left' });
    expect(prechat_form.fields.map(({ label }: { label: string }) => label)).toEqual([
      expect.stringContaining('Tell us'),
      'Name',
      'Which lamp?',
      'Email',
    ]);
    await go('settings/trusted-domains');
    await page.getByRole('combobox', { name: 'Domains' }).fill('https://www.Lamps.test/shop');
    await page.keyboard.press('Enter');
    await save();
    await page.getByText('www.lamps.test', { exact: true }).waitFor();
    expect(await ofWidget('get_dynamic_configuration', { url: 'https://elsewhere.test/' })).toMatchObject({
      domain_allowed: false,
    });
    await shop.configure('set_trusted_domains', { trusted_domains: [] });
  });

  it('delivers a webhook, shows the delivery and resends it', async () => {
    await go('settings/webhooks/new');
    await page.getByLabel('URL').fill(receiver.url);
    await save('Register');
    const customer = await shop.newCustomer({ name: 'Cleo Customer' });
    await customer.act('start_chat', { chat: { thread: { events: [message('Hello?')] } } });
    await receiver.reached(1);
    await page.getByRole('link', { name: 'Chat started' }).click();
    await page.getByText('Delivered', { exact: true }).last().waitFor();
    await expectAccessible(page, 'the log of a webhook');
    await button(/^Resend$/).click();
    await receiver.reached(2);
    expect(receiver.received[1]!.deliveryId).toBe(receiver.received[0]!.deliveryId);
    await page.getByRole('switch', { name: 'Enabled' }).click();
    await expect.poll(async () => (await shop.configure('list_webhooks', {}))[0].enabled, WAIT).toBe(false);
  });

  it('registers an app and shows its secret once', async () => {
    await go('settings/apps/new');
    await page.getByLabel('Name').fill('Bookkeeper');
    await page.getByLabel('Redirect URLs').fill('https://books.example/back');
    await page.getByLabel('Tickets: read').check();
    await save('Register');
    await page.getByText('Client secret').waitFor();
    await button('Done').click();
    await page.getByRole('listitem').getByText('Bookkeeper').waitFor();
    expect(await page.getByText('Client secret').count()).toBe(0);
  });

  it('shows the API key after the password and hides it again', async () => {
    await go('profile');
    await button('Show key').click();
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await button('Show key').click();
    await expect.poll(() => page.getByTestId('api-key').textContent(), WAIT).toMatch(/^dal-/);
    await expectAccessible(page, 'the API key');
    await button('Hide').click();
    await button('Show key').waitFor();
    expect(await page.getByTestId('api-key').count()).toBe(0);
  });

  it('lifts a ban', async () => {
    const customer = await shop.newCustomer({ name: 'Bo Banned' });
    await shop.asOwner('ban_customer', { id: customer.id, ban: { days: 2 } });
    await expect(customer.act('list_chats', {})).rejects.toThrow('banned');
    await go('settings/bans');
    await button('Lift ban').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift ban' }).click();
    await page.getByText('No banned customers').waitFor();
    await customer.act('list_chats', {});
  });

  it('shows markup in every field as text and is accessible on a phone in dark mode', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    const payloadPages = await writePayloads(shop);
    await go('chats');
    for (const path of [...payloadPages, ...OTHER_PAGES]) {
      await navigate(path);
      if (payloadPages.includes(path)) expect(await readAll(page), path).toContain(PAYLOAD.slice(0, 60));
      await expectAccessible(page, path);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390);
      expect(await page.evaluate('window.ran'), path).toBeUndefined();
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('explains to other agents that only administrators have access', async () => {
    const other = await browser.newPage();
    other.setDefaultTimeout(60_000);
    await shop.rest('POST', '/agents', { login: 'ned@lamps.test', name: 'Ned Normal', password: PASSWORD });
    await signIn(other, server.url, 'ned@lamps.test');
    const theirs = openConsole(other, server.url);
    await theirs.go('settings/greetings');
    await other.getByText('Administrators only').waitFor();
    await theirs.go('team');
    expect(await other.getByRole('link', { name: 'Invite agent' }).count()).toBe(0);
    await other.close();
  });

  it('ends another session and sets up two-step verification', async () => {
    const other = await browser.newPage();
    other.setDefaultTimeout(60_000);
    await signIn(other, server.url, shop.login);
    await go('profile');
    await page.getByRole('listitem').getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor(WAIT);
    await button('Set up two-step verification').click();
    await page.getByLabel('Your password', { exact: true }).fill('wrong');
    await button('Continue').click();
    await page.getByText('Password is incorrect.').waitFor();
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await button('Continue').click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    await expectAccessible(page, 'setting up the second factor');
    const secret = (await page.getByTestId('two-factor-secret').textContent()) ?? '';
    await page.getByLabel('Authenticator code').fill(totpCode(secret));
    await button('Turn on').click();
    const [recovery] = ((await page.getByTestId('recovery-codes').textContent()) ?? '').split('\n');
    await button('I’ve saved them').click();
    await page.getByText(/Two-step verification is on/).waitFor();
    for (const code of [totpCode(secret, 1), recovery!]) {
      await signInWithCode(other, server.url, shop.login, code);
      await other.context().clearCookies();
    }
    await other.close();
  });

  it('causes no errors in the browser console', () => {
    expect(browserErrors.filter((one) => !/status of 40/.test(one))).toEqual([]);
  });
});
