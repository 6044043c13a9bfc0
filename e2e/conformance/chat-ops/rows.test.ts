/** The document row by row, on one server: its sections are the files beside this one. */
import './agents.ts';
import './archives.ts';
import './protocol.ts';
import './reports.ts';
import './settings.ts';
import './tickets.ts';
import './visitors.ts';
import './webhooks.ts';
