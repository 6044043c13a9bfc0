import { useAgentName } from '../../api/people.ts';
import { colourOf } from './colours.ts';
import classes from './reports.module.css';
import type { Shaped } from './shape.ts';

/** One bar per agent. */
export const RankingBars = ({ shaped, label }: { shaped: Shaped; label: string }) => {
  const nameOf = useAgentName();
  const shown = shaped.series.filter(({ isAside }) => !isAside);
  const totalAt = (index: number): number => shown.reduce((total, { values }) => total + (values[index] ?? 0), 0);
  const greatest = Math.max(1, ...shaped.labels.map((_, index) => totalAt(index)));
  return (
    <div className={classes.ranking} role="img" aria-label={label}>
      {shaped.labels.map((login, index) => (
        <div key={login} className={classes.rank}>
          <span className={classes.rankName}>{nameOf(login)}</span>
          <span className={classes.rankBar}>
            {shown.map((series, place) => (
              <i
                key={series.title}
                style={{
                  width: `${(100 * (series.values[index] ?? 0)) / greatest}%`,
                  background: colourOf(series, place),
                }}
              />
            ))}
          </span>
        </div>
      ))}
    </div>
  );
};
