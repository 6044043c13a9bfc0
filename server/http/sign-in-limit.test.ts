import { expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { createSignInLimit } from './sign-in-limit.ts';

const test = useTestApp();

const from = (ip: string) => ({ ip, cookies: {} });
const tooMany = { code: 'too_many_requests' };

it('limits attempts from one /64 network', async () => {
  const limit = createSignInLimit(test.context.services, true);
  for (let attempt = 0; attempt < 30; attempt++)
    await limit(from(`2001:db8:1:1::${attempt}`), `agent-${attempt}@shop.test`);
  await expect(limit(from('2001:db8:1:1::ffff'), 'another@shop.test')).rejects.toMatchObject(tooMany);
  await limit(from('2001:db8:1:2::1'), 'another@shop.test');
});

it('does not count attempts that succeed', async () => {
  const limit = createSignInLimit(test.context.services, true);
  for (let attempt = 0; attempt < 300; attempt++) await (await limit(from('192.0.2.9'), 'owner@shop.test'))();
  for (let attempt = 0; attempt < 10; attempt++) await limit(from('192.0.2.9'), 'owner@shop.test');
  await expect(limit(from('192.0.2.9'), 'owner@shop.test')).rejects.toMatchObject(tooMany);
});

it('limits attempts from changing /64 networks of one /48', async () => {
  const limit = createSignInLimit(test.context.services, true);
  for (let attempt = 0; attempt < 240; attempt++)
    await limit(from(`2001:db8:2:${attempt.toString(16)}::1`), `login-${attempt}@shop.test`);
  await expect(limit(from('2001:db8:2:ffff::1'), 'another-one@shop.test')).rejects.toMatchObject(tooMany);
  await limit(from('2001:db8:3:ffff::1'), 'another-one@shop.test');
});
