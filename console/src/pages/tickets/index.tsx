import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const TicketsPage = () => (
  <Page title="Tickets">
    <Empty title="Nothing here yet" />
  </Page>
);
