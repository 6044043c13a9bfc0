import type { Migration } from '../migrate.ts';

/** Transcripts to addresses that have nothing to do with the chat have a lower limit. */
export const transcriptRecipients: Migration = {
  id: '0006',
  name: 'transcript recipients',
  up: 'alter table transcript_mails add column to_stranger boolean not null default false;',
};
