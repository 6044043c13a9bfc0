import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const VisitorsPage = () => (
  <Page title="Visitors">
    <Empty title="Nothing here yet" />
  </Page>
);
