import { Button } from '@mantine/core';
import { useState } from 'react';
import { useFilters } from '../../app/use-filters.ts';
import { downloadCsv } from '../../design/csv.ts';
import { Icon } from '../../design/icon.tsx';
import { notifySuccess } from '../../design/notices.ts';
import { useAction } from '../../design/use-action.ts';
import { ARCHIVE_NAMES } from './archive-list.tsx';
import { toArchiveQuery } from './filters.ts';
import { t } from './t.ts';
import { toRows } from './to-rows.ts';
import { MAX_EXPORTED, readAll } from './use-archives.ts';

/** Exports all chats that match the filters. */
export const ExportButton = () => {
  const [filters] = useFilters(ARCHIVE_NAMES);
  const [read, setRead] = useState(0);
  const exporting = useAction(async () => {
    const chats = await readAll(toArchiveQuery(filters), setRead);
    downloadCsv('chats.csv', toRows(chats));
    const count = chats.length;
    notifySuccess(count >= MAX_EXPORTED ? t('exportedTheNewestCountChats', { count }) : t('exported', { count }));
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      disabled={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      {exporting.isPending ? t('exportingCount', { count: read }) : t('exportCSV')}
    </Button>
  );
};
