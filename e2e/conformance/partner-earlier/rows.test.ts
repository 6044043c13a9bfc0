/** The earlier shapes of the document row by row, on one server. What is common to both is in e2e/conformance/partner. */
import './account.ts';
import './affiliates.ts';
import './experts.ts';
import './resellers.ts';
import './subscriptions.ts';
import { expect, it } from 'vitest';
import { earlierRows } from '../partner/operations.ts';
import { kit } from './target.ts';

it('every earlier operation of the document was answered as it says', () =>
  expect(kit.unanswered(earlierRows)).toEqual([]));
