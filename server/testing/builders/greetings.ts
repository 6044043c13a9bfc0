import { greetVisitor } from '#server/domain/support/greetings/greet-visitor.ts';
import { createGreeting } from '#server/domain/support/greetings/manage-greetings.ts';
import type { GreetingDraft, GreetingRecord } from '#server/domain/support/greetings/records.ts';
import type { TestCustomer, TestOrganization } from './factories.ts';

/** Fits everybody, unless the test says otherwise. */
export const buildGreeting = (
  { scope }: TestOrganization,
  input: Partial<GreetingDraft> = {},
): Promise<GreetingRecord> =>
  createGreeting(scope, {
    name: 'A greeting',
    message: 'May we help?',
    rules: [{ type: 'visits_number', operator: 'greater_than', value: '0' }],
    ...input,
  });

/** Looks for a greeting as a process with the customer's socket does; the one that stands on the screen then. */
export const greet = async ({ scope }: TestOrganization, { id }: TestCustomer): Promise<string | undefined> => {
  await greetVisitor(scope, { customerId: id });
  const row = await scope
    .from('greetingDisplays')
    .where('customerId', '=', id)
    .where('acceptedAt', 'is', null)
    .where('canceledAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row?.id;
};
