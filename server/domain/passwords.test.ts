import { expect, it } from 'vitest';
import { hashNewPassword, verifyPassword } from './passwords.ts';

const names = ['olga.owner@shop.example', 'Corner Shop'];

it.each([
  'password',
  'PassWord1',
  'qwerty123',
  '12345678',
  '87654321',
  'aaaaaaaaaa',
  'olga.owner@shop.example',
  'Olga.Owner',
  'cornershop',
])('rejects the password %s', async (password) => {
  await expect(hashNewPassword(password, names)).rejects.toMatchObject({
    code: 'validation',
    details: { fields: [{ field: 'password' }] },
  });
});

it.each(['a long password', 'correct horse battery staple', 'xK3-9vLq'])(
  'accepts the password %s',
  async (password) => {
    expect(await verifyPassword(password, await hashNewPassword(password, names))).toBe(true);
  },
);
