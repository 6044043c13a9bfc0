import { Icon } from '../../../design/icon.tsx';
import { LinkedText } from '../../../design/linked-text.tsx';
import classes from './greeting-preview.module.css';

/** What a visitor sees, while it is written. */
export const GreetingPreview = ({ text }: { text: string }) => (
  <div className={classes.stage} role="img" aria-label={`Preview: ${text.trim() || 'no words yet'}`}>
    <div className={classes.fill} />
    <div className={classes.card} data-empty={text.trim() === '' || undefined}>
      {text.trim() === '' ? 'Your words stand here.' : <LinkedText text={text} />}
    </div>
    <div className={classes.bubble}>
      <Icon name="chats" size={26} />
    </div>
  </div>
);
