/** Tests the earlier shapes of the API document on one server. Rows common to both shapes are in e2e/conformance/partner. */
import './account.ts';
import './affiliates.ts';
import './experts.ts';
import './resellers.ts';
import './subscriptions.ts';
import { expect, it } from 'vitest';
import { earlierRows } from '../partner/operations.ts';
import { kit } from './target.ts';

it('every earlier operation of the document was called and returned the documented status', () =>
  expect(kit.untestedRows(earlierRows)).toEqual([]));
