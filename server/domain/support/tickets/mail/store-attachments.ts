import { DomainError } from '../../../errors.ts';
import type { ContentStore } from '../../../files/content-store.ts';
import { type OrganizationScope, openOrganizationScope } from '../../../scope.ts';
import { filePath } from '../../files/address.ts';
import { storeUpload } from '../../files/store-upload.ts';
import type { TicketFile } from '../records.ts';
import type { ReadMail } from './read-mail.ts';

export interface StoredAttachments {
  files: TicketFile[];
  dropped: string[];
}

const MAX_FILES = 50;
const MAX_NAME_CHARACTERS = 200;

const oneChunk = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
};

const reasonOf = ({ code }: DomainError, isEmpty: boolean): string =>
  isEmpty ? 'it is empty' : code === 'too_large' ? 'it is larger than 10 MB' : 'programs are not taken';

/** Stores attachments like uploads. The names of rejected ones are returned. */
export const storeAttachments = async (
  scope: OrganizationScope,
  store: ContentStore,
  sender: string,
  attachments: ReadMail['attachments'],
): Promise<StoredAttachments> => {
  // The sender is unknown, so the files belong to them like those of a customer.
  const uploader = openOrganizationScope(scope.services, { kind: 'customer', id: sender }, scope.organizationId);
  const result: StoredAttachments = { files: [], dropped: [] };
  for (const { name, contentType, content } of attachments) {
    const shown = name.replaceAll('\0', '').toWellFormed().slice(0, MAX_NAME_CHARACTERS).toWellFormed();
    if (result.files.length >= MAX_FILES) {
      result.dropped.push(`${shown}: there are too many attachments`);
      continue;
    }
    try {
      const file = await storeUpload(uploader, store, { name, declaredType: contentType, content: oneChunk(content) });
      const url = `${scope.services.installation.publicUrl()}${filePath(file)}`;
      result.files.push({ id: file.id, name: file.name, url, contentType: file.contentType, size: file.size });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      result.dropped.push(`${shown}: ${reasonOf(error, content.length === 0)}`);
    }
  }
  return result;
};
