import * as contract from '#contracts/customer/files.ts';
import type { Context } from '#server/context.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action, type Route, route } from '#server/http/route.ts';
import { rejectUpload, uploadFile } from '#server/surfaces/chat-v3/upload-file.ts';

export const fileRoutes = ({ ports: { files } }: Context): Route<OrganizationScope>[] => [
  route<OrganizationScope>()(contract.uploadFile, (call) => uploadFile(files, call)),
];

/** The operation exists over HTTP only; on a socket it returns an error. */
export const fileActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.uploadFile, rejectUpload),
];
