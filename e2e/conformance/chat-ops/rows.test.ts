/** Runs the tests of every section of the API document (the files of this folder) on one server. */
import './agents.ts';
import './archives.ts';
import './protocol.ts';
import './reports.ts';
import './settings.ts';
import './tickets.ts';
import './visitors.ts';
import './webhooks.ts';
