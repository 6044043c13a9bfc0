import { Switch, Text, TextInput } from '@mantine/core';
import { Dimmed } from '../../design/dimmed.tsx';
import { locale } from '../../i18n/language.ts';
import { DAYS, type Day, type Shift, type Week } from './schedule.ts';
import classes from './schedule-fields.module.css';
import { t } from './t.ts';

interface ScheduleFieldsProps {
  week: Week;
  onChange(week: Week): void;
}

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });

/** 1970-01-05 was a Monday. */
const nameOf = (day: Day): string => weekday.format(Date.UTC(1970, 0, 5 + DAYS.indexOf(day)));

export const ScheduleFields = ({ week, onChange }: ScheduleFieldsProps) => {
  const change = (day: Day, part: Partial<Shift>): void => onChange({ ...week, [day]: { ...week[day], ...part } });
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        {t('workSchedule')}
      </Text>
      <Dimmed size="xs" mb="xs">
        {t('agentsTimeZoneLeaveEmpty')}
      </Dimmed>
      {DAYS.map((day) => {
        const { works, start, end } = week[day];
        return (
          <div key={day} className={classes.day}>
            <Switch
              label={nameOf(day)}
              checked={works}
              onChange={({ currentTarget }) => change(day, { works: currentTarget.checked })}
            />
            {works && (
              <>
                <TextInput
                  type="time"
                  aria-label={t('dayStart', { day: nameOf(day) })}
                  value={start}
                  onChange={({ currentTarget }) => change(day, { start: currentTarget.value })}
                />
                <span aria-hidden>–</span>
                <TextInput
                  type="time"
                  aria-label={t('dayEnd', { day: nameOf(day) })}
                  value={end}
                  onChange={({ currentTarget }) => change(day, { end: currentTarget.value })}
                />
                {end <= start && <span className={classes.next}>{t('endsTheNextDay')}</span>}
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
};
