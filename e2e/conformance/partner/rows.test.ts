/** The document row by row, on one server: its sections are the files beside this one. */
import './account.ts';
import './affiliates.ts';
import './campaigns.ts';
import './chain.ts';
import './money.ts';
import './numbers.ts';
import './protocol.ts';
import { expect, it } from 'vitest';
import { currentRows } from './operations.ts';
import { kit } from './target.ts';

it('every operation of the document was answered as it says', () => expect(kit.unanswered(currentRows)).toEqual([]));
