import { Page } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

export const ChatsPage = () => (
  <Page title="Chats">
    <Empty title="Nothing here yet" />
  </Page>
);
