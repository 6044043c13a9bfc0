import { greetVisitor } from '#server/domain/support/greetings/greet-visitor.ts';
import { createGreeting } from '#server/domain/support/greetings/manage-greetings.ts';
import type { GreetingDraft, GreetingRecord } from '#server/domain/support/greetings/records.ts';
import type { TestCustomer, TestOrganization } from './factories.ts';

/** Creates a greeting that matches every visitor by default. */
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

/** Selects a greeting as the process with the customer's socket does, and returns the ID of the displayed one. */
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
