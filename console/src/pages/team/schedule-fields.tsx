import { Switch, Text, TextInput } from '@mantine/core';
import { DAYS, type Day, type Shift, type Week } from './schedule.ts';
import classes from './schedule-fields.module.css';

interface ScheduleFieldsProps {
  week: Week;
  onChange(week: Week): void;
}

const capital = (day: Day): string => day.charAt(0).toUpperCase() + day.slice(1);

export const ScheduleFields = ({ week, onChange }: ScheduleFieldsProps) => {
  const change = (day: Day, part: Partial<Shift>): void => onChange({ ...week, [day]: { ...week[day], ...part } });
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        Work schedule
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        By the agent’s own clock. Without any day the agent alone says when it takes chats.
      </Text>
      {DAYS.map((day) => {
        const { works, start, end } = week[day];
        return (
          <div key={day} className={classes.day}>
            <Switch
              label={capital(day)}
              checked={works}
              onChange={({ currentTarget }) => change(day, { works: currentTarget.checked })}
            />
            {works && (
              <>
                <TextInput
                  type="time"
                  aria-label={`${capital(day)} begins`}
                  value={start}
                  onChange={({ currentTarget }) => change(day, { start: currentTarget.value })}
                />
                <span aria-hidden>–</span>
                <TextInput
                  type="time"
                  aria-label={`${capital(day)} ends`}
                  value={end}
                  onChange={({ currentTarget }) => change(day, { end: currentTarget.value })}
                />
                {end <= start && <span className={classes.next}>ends the next day</span>}
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
};
