import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const SettingsPage = () => (
  <Page title="Settings">
    <Empty title="Nothing here yet" />
  </Page>
);
