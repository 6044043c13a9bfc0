import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const ArchivesPage = () => (
  <Page title="Archives">
    <Empty title="Nothing here yet" />
  </Page>
);
