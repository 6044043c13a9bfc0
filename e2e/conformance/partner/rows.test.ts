/** Runs the tests of every section of the API document (the files of this folder) on one server. */
import './account.ts';
import './affiliates.ts';
import './campaigns.ts';
import './referrals.ts';
import './payouts.ts';
import './metrics.ts';
import './protocol.ts';
import { expect, it } from 'vitest';
import { currentRows } from './operations.ts';
import { kit } from './target.ts';

it('every operation of the document was called and returned the documented status', () =>
  expect(kit.untestedRows(currentRows)).toEqual([]));
