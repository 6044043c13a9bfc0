import type { OrganizationScope } from '../../../scope.ts';
import { filePath, readFileAddress, thumbnailPath } from '../../files/address.ts';
import { getSendableFile } from '../../files/find-file.ts';
import { checkFilledForm } from '../../forms/check-filled-form.ts';
import type { EventContent, EventDraft, FileContent, FileInput, NewEvent } from '../records.ts';

const showFile = async (scope: OrganizationScope, { url, alternativeText }: FileInput): Promise<FileContent> => {
  const { organizationId, services } = scope;
  const publicUrl = services.installation.publicUrl();
  const file = await getSendableFile(scope, readFileAddress({ url, publicUrl, organizationId }));
  const { id: fileId, name, contentType, size, image } = file;
  return {
    type: 'file',
    fileId,
    url: publicUrl + filePath(file),
    name,
    contentType,
    size,
    ...(image
      ? {
          width: image.width,
          height: image.height,
          thumbnailUrl: publicUrl + thumbnailPath(file, 'thumbnail'),
          thumbnail2xUrl: publicUrl + thumbnailPath(file, 'thumbnail2x'),
        }
      : {}),
    ...(alternativeText === undefined ? {} : { alternativeText }),
  };
};

const isComplete = (content: NewEvent['content']): content is Exclude<EventContent, FileContent> =>
  content.type !== 'file';

/** Adds what the server knows about the event. Only files and custom forms need a lookup; everything else is synchronous. */
export const completeEvent = (
  scope: OrganizationScope,
  { content, ...event }: NewEvent,
): EventDraft | Promise<EventDraft> => {
  if (!isComplete(content)) return showFile(scope, content).then((shown) => ({ ...event, content: shown }));
  const draft = { ...event, content };
  return checkFilledForm(scope, content)?.then(() => draft) ?? draft;
};
