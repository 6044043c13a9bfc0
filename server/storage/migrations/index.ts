import type { Migration } from '../migrate.ts';
import { groundFloor } from './0001-ground-floor.ts';
import { files } from './0002-files.ts';
import { properties } from './0003-properties.ts';
import { customers } from './0004-customers.ts';
import { configuration } from './0005-configuration.ts';
import { greetings } from './0006-greetings.ts';
import { webhooks } from './0007-webhooks.ts';
import { routing } from './0008-routing.ts';
import { tickets } from './0009-tickets.ts';
import { reports } from './0010-reports.ts';
import { operations } from './0011-operations.ts';
import { archives } from './0012-archives.ts';
import { visitors } from './0013-visitors.ts';
import { oauth } from './0014-oauth.ts';
import { crowds } from './0016-crowds.ts';
import { programme } from './0017-programme.ts';
import { ledger } from './0018-ledger.ts';
import { resellers } from './0019-resellers.ts';
import { signIns } from './0020-sign-ins.ts';
import { programmeTimes } from './0021-programme-times.ts';
import { experts } from './0022-experts.ts';
import { paidTime } from './0023-paid-time.ts';
import { orders } from './0024-orders.ts';
import { repeatedClicks } from './0025-repeated-clicks.ts';
import { ticketWords } from './0026-ticket-words.ts';
import { programmeSums } from './0027-programme-sums.ts';
import { keptClicks } from './0028-kept-clicks.ts';
import { consoleSignIn } from './0029-console-sign-in.ts';
import { sums } from './0030-sums.ts';
import { fourHours } from './0031-four-hours.ts';
import { performanceTotals } from './0032-performance-totals.ts';
import { columnsOfClicks } from './0033-columns-of-clicks.ts';

/** In order, imported by hand. Once released a migration is never changed; the previous release must run on the new schema. */
export const migrations: Migration[] = [
  groundFloor,
  files,
  properties,
  customers,
  configuration,
  greetings,
  webhooks,
  routing,
  tickets,
  reports,
  operations,
  archives,
  visitors,
  oauth,
  crowds,
  programme,
  ledger,
  resellers,
  signIns,
  programmeTimes,
  experts,
  paidTime,
  orders,
  repeatedClicks,
  ticketWords,
  programmeSums,
  keptClicks,
  consoleSignIn,
  sums,
  fourHours,
  performanceTotals,
  columnsOfClicks,
];
