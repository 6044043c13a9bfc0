import { useAgentName } from '../../api/people.ts';
import { colorOf } from './colors.ts';
import type { ReportData } from './report-data.ts';
import classes from './reports.module.css';

/** One bar per agent. */
export const RankingBars = ({ data, label }: { data: ReportData; label: string }) => {
  const nameOf = useAgentName();
  const shown = data.series.filter(({ isTableOnly }) => !isTableOnly);
  const totalAt = (index: number): number => shown.reduce((total, { values }) => total + (values[index] ?? 0), 0);
  const greatest = Math.max(1, ...data.labels.map((_, index) => totalAt(index)));
  return (
    <div className={classes.ranking} role="img" aria-label={label}>
      {data.labels.map((login, index) => (
        <div key={login} className={classes.rank}>
          <span className={classes.rankName}>{nameOf(login)}</span>
          <span className={classes.rankBar}>
            {shown.map((series, seriesIndex) => (
              <i
                key={series.title}
                style={{
                  width: `${(100 * (series.values[index] ?? 0)) / greatest}%`,
                  background: colorOf(series, seriesIndex),
                }}
              />
            ))}
          </span>
        </div>
      ))}
    </div>
  );
};
