import { useParams } from '@tanstack/react-router';
import { Page } from '../../design/page.tsx';
import { Split } from '../../design/split.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { t } from './t.ts';
import { useVisitors } from './use-visitors.ts';
import { VisitorPanel } from './visitor-panel.tsx';
import { VisitorTable } from './visitor-table.tsx';

export const VisitorsPage = () => {
  const { _splat: id } = useParams({ strict: false });
  const query = useVisitors();
  const detailOf = (visitors: NonNullable<typeof query.data>) => {
    if (!id) return undefined;
    const visitor = visitors.find((one) => one.id === id);
    return visitor ? <VisitorPanel key={id} visitor={visitor} /> : <Empty title={t('thisVisitorHasLeft')} />;
  };
  return (
    <Page title={t('visitors')} fill>
      <Loaded query={query}>
        {(visitors) => <Split wideList list={<VisitorTable visitors={visitors} />} detail={detailOf(visitors)} />}
      </Loaded>
    </Page>
  );
};
