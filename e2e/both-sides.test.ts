import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { expectAccessible, freePort, hasBrowser, launchBrowser, openLink, watchComplaints } from './console-fixture.ts';
import { type StartingProcess, spawnProcess, toDatabaseUrl } from './start-process.ts';
import { sendMessage, shownTexts } from './widget-fixture.ts';

const PATIENCE = { timeout: 60_000 };

/** The demo shop with a visitor in one browser and the owner's console in another. */
describe.skipIf(!hasBrowser)('agent and visitor of the demo shop', () => {
  let browser: Browser;
  let server: StartingProcess;
  let settings: Record<string, string>;
  let visitor: Page;
  let agent: Page;
  let complaints: string[];
  /** Each side has its own proxy, so one can be disconnected without the other. */
  let links: { visitor: Awaited<ReturnType<typeof openLink>>; agent: Awaited<ReturnType<typeof openLink>> };
  let entry: string;
  let apiKey: string;

  const start = async (dataDir?: string): Promise<void> => {
    const port = await freePort();
    server = spawnProcess({ ...settings, PORT: String(port) }, dataDir);
    await server.waitForOutput(/Health, metrics/);
    links.visitor.leadTo(port);
    links.agent.leadTo(port);
  };

  const openPage = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE.timeout);
    return page;
  };

  beforeAll(async () => {
    links = { visitor: await openLink(), agent: await openLink() };
    settings = {
      DATABASE_URL: toDatabaseUrl(await createTestDatabase()),
      // The console accepts requests only from this origin.
      PUBLIC_URL: links.agent.url,
      ...{ DEMO: '1', RATE_LIMITS: 'off' },
    };
    [browser] = await Promise.all([launchBrowser(), start()]);
    entry = (await server.waitForOutput(/first-run\?token=(\S+)/))[1]!;
    apiKey = JSON.parse(readFileSync(path.join(server.dataDir, 'demo.json'), 'utf8')).api_key;
    [visitor, agent] = [await openPage(), await openPage()];
    complaints = watchComplaints(agent);
  });
  afterAll(async () => {
    await browser?.close();
    links?.visitor.close();
    links?.agent.close();
    server?.signal('SIGTERM');
    await server?.ended;
    server?.remove();
  });

  const rest = async (method: string, url: string, body?: object) => {
    const response = await fetch(`${links.agent.url}${url}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.json();
  };
  const log = (): Locator => agent.getByRole('log', { name: 'Messages' });
  const field = (): Locator => agent.getByRole('textbox', { name: /^(Message|Private note)$/ });
  const answer = async (text: string): Promise<void> => {
    await field().fill(text);
    await field().press('Enter');
  };
  const allChats = async (): Promise<number> => {
    const days: Record<string, { chats: number }> = await rest('GET', '/reports/chats/total_chats');
    return Object.values(days).reduce((sum, { chats }) => sum + chats, 0);
  };

  it('complete a conversation, from the greeting to the report', async () => {
    const before = await allChats();
    const rules = [{ type: 'url_current', operator: 'contains', value: 'basket' }];
    await rest('POST', '/greetings', { name: 'At the basket', message: 'Anything left to ask?', rules });
    await agent.goto(`${links.agent.url}/console/first-run?token=${entry}`);
    await agent.getByRole('button', { name: 'Open console' }).click();
    await agent.getByRole('heading', { name: 'Chats', exact: true }).waitFor();

    await visitor.goto(`${links.visitor.url}/demo`);
    await expectAccessible(visitor, 'the demo shop');
    await visitor.getByRole('link', { name: 'Basket' }).click();
    await visitor.locator('.greeting .open').click();
    await visitor.getByLabel('Name').fill('Vera Visitor');
    await visitor.getByLabel('Email').fill('vera@home.test');
    await visitor.getByRole('button', { name: 'Start chat' }).click();
    await sendMessage(visitor, 'Do you wrap presents?');

    await agent.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'Vera Visitor' }).click();
    await log().getByText('Do you wrap presents?').waitFor();
    await answer('We do, in brown paper.');
    await visitor.getByText('We do, in brown paper.').waitFor();
    await visitor.locator('input[type=file]').setInputFiles({
      name: 'wish.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a ribbon'),
    });
    await log().getByText('wish.txt').waitFor();

    await agent.getByRole('button', { name: 'Card or quick replies' }).click();
    const card = agent.getByRole('dialog');
    await card.getByLabel('Title').fill('A ribbon?');
    await card.getByLabel('Button 1').fill('Yes, red');
    await card.getByRole('button', { name: 'Send' }).click();
    await visitor.getByRole('button', { name: 'Yes, red' }).click();

    await agent.getByText('Private note', { exact: true }).click();
    await answer('Wants a red ribbon.');
    await log().getByText('Wants a red ribbon.').waitFor();
    await agent.getByText('Reply', { exact: true }).click();

    await rest('PUT', '/agents/tomas@shop.example', { status: 'accepting chats' });
    await agent.getByRole('button', { name: 'Transfer' }).click();
    await agent.getByRole('dialog').getByRole('button', { name: /Tomas/ }).click();
    await visitor
      .getByText(/Tomas Lindgren/)
      .first()
      .waitFor();
    expect(await visitor.getByText('Wants a red ribbon.').count()).toBe(0);

    await agent.getByRole('button', { name: 'End chat', exact: true }).click();
    await agent.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
    await visitor.getByText('This chat has ended').waitFor();
    await visitor.getByText('Good', { exact: true }).click();
    await visitor.getByRole('button', { name: 'Submit' }).click();
    await visitor.getByText('Thanks for your rating').first().waitFor();
    await visitor.getByRole('button', { name: 'Email transcript' }).click();
    await visitor.getByRole('button', { name: 'Email transcript' }).click();
    await visitor.getByText('Transcript sent to vera@home.test').waitFor();
    const mails = async () => (await fetch(`${links.agent.url}/dev/mail`)).text();
    await expect.poll(mails, PATIENCE).toContain('vera@home.test');

    await agent.getByRole('link', { name: 'Archives' }).click();
    await agent.getByRole('searchbox').or(agent.getByLabel('Search messages')).first().fill('brown paper');
    await agent.getByText('Vera Visitor').first().click();
    await agent.getByRole('log', { name: 'Transcript' }).getByText('Do you wrap presents?').waitFor();
    await agent.getByRole('link', { name: 'Reports' }).click();
    await expect.poll(allChats, PATIENCE).toBe(before + 1);
    expect(complaints).toEqual([]);
  });

  it('show the same conversation after lost connections, a restart and a suspended page', async () => {
    await visitor.getByRole('button', { name: 'Start new chat' }).click();
    await visitor.getByRole('button', { name: 'Start chat' }).click();
    await rest('PUT', '/agents/tomas@shop.example', { status: 'offline' });
    await sendMessage(visitor, 'Me again');
    await agent.goto(`${links.agent.url}/console/chats`);
    await agent.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'Vera Visitor' }).click();
    await log().getByText('Me again').waitFor();

    links.visitor.cut();
    await sendMessage(visitor, 'written without a line');
    await answer('heard by nobody yet');
    links.visitor.mend();
    await visitor.getByText('heard by nobody yet').waitFor();
    links.agent.cut();
    await answer('answered without a line');
    await sendMessage(visitor, 'still here');
    links.agent.mend();
    await visitor.getByText('answered without a line').waitFor();

    server.signal('SIGKILL');
    await server.ended;
    await Promise.all([sendMessage(visitor, 'into the gap'), answer('out of the gap')]);
    await start(server.dataDir);
    await visitor.getByText('out of the gap').waitFor();
    await log().getByText('into the gap').waitFor();

    // The visitor's laptop is suspended: the page is frozen and its connection lost while the agent continues.
    const lid = await visitor.context().newCDPSession(visitor);
    await lid.send('Page.setWebLifecycleState', { state: 'frozen' });
    links.visitor.cut();
    await answer('while you slept');
    links.visitor.mend();
    await lid.send('Page.setWebLifecycleState', { state: 'active' });
    await visitor.getByText('while you slept').waitFor();
    await sendMessage(visitor, 'good morning');

    const { chats_summary: found } = await (
      await fetch(`${links.agent.url}/v3.5/agent/action/list_chats`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ filters: { include_active: true } }),
      })
    ).json();
    const chat_id = found.find(({ users }: { users: { name: string }[] }) =>
      users.some(({ name }) => name === 'Vera Visitor'),
    ).id;
    const truth = async (): Promise<string[]> => {
      const response = await fetch(`${links.agent.url}/v3.5/agent/action/get_chat`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id }),
      });
      const { thread } = await response.json();
      return thread.events.flatMap(({ type, text }: { type: string; text: string }) =>
        type === 'message' ? [text] : [],
      );
    };
    await expect.poll(truth, PATIENCE).toHaveLength(9);
    const texts = await truth();
    const asConsoleAgent = (): Promise<string[]> =>
      log().locator('[data-event] > div:not([class*="meta"]):not([class*="state"])').allInnerTexts();
    await expect.poll(async () => (await shownTexts(visitor)).slice(-9), PATIENCE).toEqual(texts);
    await expect.poll(async () => (await asConsoleAgent()).slice(-9), PATIENCE).toEqual(texts);
  });
});
