import { useParams } from '@tanstack/react-router';
import { useFilters } from '../../app/use-filters.ts';
import { Page } from '../../design/page.tsx';
import { Split } from '../../design/split.tsx';
import { ARCHIVE_NAMES, ArchiveList } from './archive-list.tsx';
import { ChatView } from './chat-view.tsx';
import { ExportButton } from './export-button.tsx';
import { t } from './t.ts';
import { useArchivePushes } from './use-archives.ts';

export const ArchivesPage = () => {
  const { _splat: id } = useParams({ strict: false });
  const [{ zone }] = useFilters(ARCHIVE_NAMES);
  useArchivePushes();
  return (
    <Page title={t('archives')} fill actions={<ExportButton />}>
      <Split
        list={<ArchiveList currentId={id} />}
        detail={id ? <ChatView key={id} id={id} zone={zone} /> : undefined}
      />
    </Page>
  );
};
