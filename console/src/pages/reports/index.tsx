import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const ReportsPage = () => (
  <Page title="Reports">
    <Empty title="Nothing here yet" />
  </Page>
);
