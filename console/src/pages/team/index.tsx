import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const TeamPage = () => (
  <Page title="Team">
    <Empty title="Nothing here yet" />
  </Page>
);
