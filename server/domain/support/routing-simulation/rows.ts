import type { OwnedRows } from '#server/storage/scope.ts';

export type Rows = OwnedRows<'organizationId'>;
