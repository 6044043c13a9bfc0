import { describe, expect, it } from 'vitest';
import { mergeOperations } from '#contracts/merge-operations.ts';
import { surfaces } from '#server/surfaces/index.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';

const test = useTestApp();

const get = (url: string) => test.app.inject({ method: 'GET', url });

const contracts = surfaces.map(({ contract }) => ({ ...contract, operations: mergeOperations(contract.operations) }));

describe('the start page', () => {
  it('shows the status and links all APIs', async () => {
    const page = await get('/');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('Ready');
    expect(page.body).toContain('http://parley.test');
    const links = [...contracts.map(({ name }) => `/docs/${name}`), '/health/ready', '/metrics', '/dev/mail'];
    for (const link of links) expect(page.body).toContain(`href="${link}"`);
  });

  it('forbids scripts and framing', async () => {
    const page = await get('/');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.body).not.toMatch(/<script| style=| on\w+=/);
  });

  it('answers HEAD and rejects writes with 405', async () => {
    expect(await test.app.inject({ method: 'HEAD', url: '/' })).toMatchObject({ statusCode: 200, body: '' });
    const refused = await test.app.inject({ method: 'POST', url: '/' });
    expect(refused.statusCode).toBe(405);
    expect(refused.headers.allow).toBe('GET, HEAD');
  });

  it('serves its stylesheet', async () => {
    const css = await get('/site.css');
    expect(css.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(css.body).toContain('prefers-color-scheme: dark');
  });
});

describe.each(contracts)('/docs/$name', ({ name, operations }) => {
  it('lists every operation with its path and an example request', async () => {
    const page = await get(`/docs/${name}`);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    for (const operation of operations) {
      expect(page.body).toContain(`id="${operation.name}"`);
      expect(page.body).toContain(`href="#${operation.name}"`);
      expect(page.body).toContain(operation.path.replace(/:(\w+)/g, '{$1}'));
    }
    expect(page.body.match(/<pre><code>curl .*http:\/\/parley\.test\//g)).toHaveLength(operations.length);
  });

  it('serves its OpenAPI document', async () => {
    const response = await get(`/docs/${name}/openapi.json`);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(response.json().paths).length).toBeGreaterThan(0);
  });
});

it.each(['/docs/nothing', '/docs/nothing/openapi.json', '/docs/customer/more', '/dev/mail/nothing'])(
  'has a page for the missing %s',
  async (url) => {
    const page = await get(url);
    expect(page.statusCode).toBe(404);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  },
);

describe('/dev/mail', () => {
  const hostile = '<img src=x onerror=alert(1)>';

  it('shows emails as escaped source', async () => {
    await test.context.ports.outbox!.send({
      from: { address: 'parley@shop.test' },
      to: { name: hostile, address: 'visitor@shop.test' },
      subject: `Hello ${hostile}`,
      text: `${hostile}</pre><script>alert(2)</script>`,
      html: '<script>alert(3)</script>',
    });
    const list = await get('/dev/mail');
    const link = /\/dev\/mail\/[^"]+/.exec(list.body)![0];
    const mail = await get(link);
    for (const page of [list, mail]) {
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain('Hello &lt;img');
      expect(page.body).not.toMatch(/<(img|script)/);
    }
    expect(mail.body).toContain('&lt;script&gt;alert(3)');
  });

  it('is shown only under the server’s own host names, not after DNS rebinding', async () => {
    const statusAt = async (host: string, url = '/dev/mail') =>
      (await test.app.inject({ url, headers: { host } })).statusCode;
    for (const host of ['localhost', 'localhost:4000', '127.0.0.1:4000', '[::1]:4000', 'parley.test'])
      expect(await statusAt(host), host).toBe(200);
    const link = /\/dev\/mail\/[^"]+/.exec((await get('/dev/mail')).body)![0];
    for (const host of ['attacker.test', '127.0.0.1.attacker.test', 'localhost.attacker.test', 'attacker.test:4000'])
      expect([await statusAt(host), await statusAt(host, link)], host).toEqual([404, 404]);
  });

  it('does not exist in production', async () => {
    await using production = await startTestApp({ config: { development: false }, beside: test });
    expect((await production.app.inject('/dev/mail')).statusCode).toBe(404);
    expect((await production.app.inject('/')).body).not.toContain('/dev/mail');
  });
});
