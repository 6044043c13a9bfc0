import { randomUUID } from 'node:crypto';
import type { TestApp } from '#server/testing/app/start-app.ts';

/** Signs up and joins as strangers do, and reads what was mailed to them. */
export const createSignUpHelpers = (test: TestApp) => {
  const newAddress = (): string => `person-${randomUUID()}@shop.example`;
  const post = async (url: string, payload: object) => {
    const response = await test.app.inject({ method: 'POST', url, payload });
    return { status: response.statusCode, body: response.json() };
  };
  const mailsTo = async (address: string) => {
    await test.runDueJobs();
    return (await test.context.ports.outbox!.list()).map(({ mail }) => mail).filter(({ to }) => to.address === address);
  };
  return {
    newAddress,
    mailsTo,
    signUp: (email: string, password = 'a long password') =>
      post('/signup', { email, name: 'Nora', password, organization: 'Corner shop' }),
    join: (email: string) =>
      post('/join', { email, first_name: 'Nora', last_name: 'New', password: 'a long password' }),
    /** The path of the confirmation link in the newest mail that has one. */
    linkTo: async (address: string): Promise<string> => {
      const links = (await mailsTo(address)).flatMap(({ text }) => /\/verify-email\/[\w-]{43}/.exec(text)?.[0] ?? []);
      return links[0]!;
    },
    /** Presses the button on the page of a confirmation link. */
    confirm: (link: string) =>
      test.app.inject({
        method: 'POST',
        url: link,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  };
};
