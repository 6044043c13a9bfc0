import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const ProfilePage = () => (
  <Page title="Profile">
    <Empty title="Nothing here yet" />
  </Page>
);
