import { NativeSelect } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Page } from '../../design/page.tsx';
import { ReportView } from './report-view.tsx';
import classes from './reports.module.css';
import { findReport, REPORTS } from './reports.ts';
import { t } from './t.ts';

/** Replaces the navigation on small screens. */
const ChooseReport = ({ current }: { current: string }) => {
  const navigate = useNavigate();
  return (
    <NativeSelect
      className={classes.choose}
      label={t('report')}
      value={current}
      data={REPORTS.map(({ title, reports }) => ({
        group: title,
        items: reports.map(({ id, title: name }) => ({ value: id, label: name })),
      }))}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/reports/$', params: { _splat: currentTarget.value }, search: true as never })
      }
    />
  );
};

export const ReportsPage = () => {
  const { _splat } = useParams({ strict: false });
  const report = findReport(_splat);
  return (
    <Page title={t('reports')}>
      <div className={classes.layout}>
        <nav className={classes.nav} aria-label={t('reports')}>
          {REPORTS.map(({ title, reports }) => (
            <div key={title}>
              <h2>{title}</h2>
              <ul>
                {reports.map(({ id, title: name }) => (
                  <li key={id}>
                    <Link
                      to="/reports/$"
                      params={{ _splat: id }}
                      search={true as never}
                      aria-current={id === report.id ? 'page' : undefined}
                    >
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <ChooseReport current={report.id} />
        <ReportView key={report.id} report={report} />
      </div>
    </Page>
  );
};
