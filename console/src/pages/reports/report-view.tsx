import { Button, Group, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callRest } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { useFilters } from '../../app/use-filters.ts';
import { downloadCsv } from '../../design/csv.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { Icon } from '../../design/icon.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { BarChart } from './bar-chart.tsx';
import { colorOf } from './colors.ts';
import { formatValue, toRows } from './format.ts';
import { accepts, REPORT_FILTERS, toReportQuery } from './query.ts';
import { readRange, todayIn } from './range.ts';
import { RankingBars } from './ranking-bars.tsx';
import { ReportControls } from './report-controls.tsx';
import type { ReportData } from './report-data.ts';
import { ReportTable } from './report-table.tsx';
import classes from './reports.module.css';
import type { Report } from './reports.ts';
import { t } from './t.ts';

/** More totals would clutter the page; the table shows all of them. */
const MAX_TABLE_ONLY_TOTALS = 3;

const Totals = ({ data }: { data: ReportData }) => {
  const shown = data.series.filter(({ isTableOnly }) => !isTableOnly);
  const others = data.series.filter(({ isTableOnly }) => isTableOnly);
  return (
    <dl className={classes.totals}>
      {shown.map((series, seriesIndex) => (
        <div key={series.title}>
          <dt>
            <i style={{ background: colorOf(series, seriesIndex) }} />
            {series.title}
          </dt>
          <dd>{formatValue(series.total, series.unit)}</dd>
        </div>
      ))}
      {(others.length <= MAX_TABLE_ONLY_TOTALS ? others : []).map(({ title, total, unit }) => (
        <div key={title} data-asTableOnly>
          <dt>{title}</dt>
          <dd>{formatValue(total, unit)}</dd>
        </div>
      ))}
    </dl>
  );
};

const isEmpty = ({ series }: ReportData): boolean => series.every(({ values }) => values.every((value) => !value));

const Content = ({ report, data, name }: { report: Report; data: ReportData; name: string }) => {
  const label = `${report.title}, ${name}`;
  const Chart = data.isRanking ? RankingBars : BarChart;
  if (data.labels.length === 0) return <Empty title={t('noDataForThisPeriod')} />;
  return (
    <>
      <Totals data={data} />
      {isEmpty(data) ? (
        <Empty title={t('noDataForThisPeriod')} />
      ) : (
        <Chart data={data} label={t('chartLabelTheTableBelow', { label })} />
      )}
      <ReportTable data={data} label={label} />
    </>
  );
};

export const ReportView = ({ report }: { report: Report }) => {
  const [filters, change] = useFilters(REPORT_FILTERS);
  const { operation } = report;
  const input = toReportQuery(operation, filters);
  const range = readRange(filters, todayIn(accepts(operation, 'timezone') ? filters.zone : undefined));
  const name = accepts(operation, 'date_from') ? `${range.from} – ${range.to}` : t('lastFourWeeks');
  const query = useQuery({
    queryKey: [...keys.reports, report.id, input],
    queryFn: async () => report.shape(await callRest(operation, { query: input } as never)),
    placeholderData: (before, old) => (old?.queryKey[1] === report.id ? keepPreviousData(before) : undefined),
  });
  return (
    <section aria-labelledby="report-title">
      <Group justify="space-between" align="flex-start" mb="sm" wrap="nowrap">
        <div>
          <Title order={2} size="h3" id="report-title">
            {report.title}
          </Title>
          <Dimmed>{report.about}</Dimmed>
        </div>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          style={{ flex: 'none' }}
          disabled={!query.data}
          onClick={() => query.data && downloadCsv(`${report.id}.csv`, toRows(query.data))}
        >
          {t('exportCSV')}
        </Button>
      </Group>
      <ReportControls report={report} filters={filters} range={range} onChange={change} />
      <Loaded query={query}>{(data) => <Content report={report} data={data} name={name} />}</Loaded>
    </section>
  );
};
