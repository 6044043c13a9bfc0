import type { FastifyRequest } from 'fastify';
import * as contract from '#contracts/customer/files.ts';
import type { Context } from '#server/context.ts';
import { MAX_FILE_BYTES } from '#server/domain/files/content-store.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action, type Route, route } from '#server/http/route.ts';
import { rejectUpload, uploadFile } from '#server/surfaces/chat-v3/upload-file.ts';
import type { CustomerQuotas } from './quotas.ts';

/** The size is counted before the upload; one of unknown size counts as the largest. */
const sizeOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? MAX_FILE_BYTES);

export const fileRoutes = ({ ports: { files } }: Context, quotas: CustomerQuotas): Route<OrganizationScope>[] => [
  route<OrganizationScope>()(contract.uploadFile, (call) => {
    quotas.countUpload(call.scope, sizeOf(call.request));
    return uploadFile(files, call);
  }),
];

/** The operation exists over HTTP only; on a socket it returns an error. */
export const fileActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.uploadFile, rejectUpload),
];
