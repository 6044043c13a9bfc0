import classes from './composer.module.css';
import { t } from './t.ts';
import type { Canned } from './use-canned.ts';

export const CannedList = ({ canned: { found, index, choose } }: { canned: Canned }) => (
  <div id="canned-responses" className={classes.canned} role="listbox" aria-label={t('cannedResponses')}>
    {found.map((one, position) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and the keys.
      // biome-ignore lint/a11y/useFocusableInteractive: as above.
      <div
        key={one.id}
        id={`canned-${position}`}
        className={classes.choice}
        role="option"
        aria-selected={position === index}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => choose(one)}
      >
        <strong>{one.tags.map((tag) => `#${tag}`).join(' ')}</strong>
        <span>{one.text}</span>
      </div>
    ))}
  </div>
);
