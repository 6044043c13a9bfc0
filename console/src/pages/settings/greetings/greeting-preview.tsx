import { Icon } from '../../../design/icon.tsx';
import { LinkedText } from '../../../design/linked-text.tsx';
import { t } from '../t.ts';
import classes from './greeting-preview.module.css';

/** Live preview of a greeting. */
export const GreetingPreview = ({ text }: { text: string }) => (
  <div
    className={classes.stage}
    role="img"
    aria-label={text.trim() ? t('previewText', { text: text.trim() }) : t('previewNoMessageYet')}
  >
    <div className={classes.fill} />
    <div className={classes.card} data-empty={text.trim() === '' || undefined}>
      {text.trim() === '' ? t('yourMessage') : <LinkedText text={text} />}
    </div>
    <div className={classes.bubble}>
      <Icon name="chats" size={26} />
    </div>
  </div>
);
