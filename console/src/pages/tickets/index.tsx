import { useParams } from '@tanstack/react-router';
import { Page } from '../../design/page.tsx';
import { Split } from '../../design/split.tsx';
import { CreateTicket } from './create-ticket.tsx';
import { t } from './t.ts';
import { TicketList } from './ticket-list.tsx';
import { TicketView } from './ticket-view.tsx';
import { useTicketPushes } from './use-tickets.ts';

export const TicketsPage = () => {
  const { _splat: id } = useParams({ strict: false });
  useTicketPushes();
  return (
    <Page title={t('tickets')} fill actions={<CreateTicket />}>
      <Split list={<TicketList currentId={id} />} detail={id ? <TicketView key={id} id={id} /> : undefined} />
    </Page>
  );
};
