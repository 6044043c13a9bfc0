import { useComputedColorScheme } from '@mantine/core';
import type { CSSProperties } from 'react';
import { contrastColor } from '#browser/contrast-color.ts';
import { Icon } from '../../../design/icon.tsx';
import { safeImage } from '../../../design/safe-url.ts';
import { t } from '../t.ts';
import { isColor } from './colors.ts';
import classes from './widget-preview.module.css';

interface WidgetPreviewProps {
  theme: 'light' | 'dark' | 'auto';
  accent: string;
  position: 'left' | 'right';
  logo: string;
  button: string;
  phrase(key: string): string;
}

/** A static preview of the widget. */
export const WidgetPreview = ({ theme, accent, position, logo, button, phrase }: WidgetPreviewProps) => {
  const own = useComputedColorScheme('light');
  const color = isColor(accent) ? accent : '#0b7460';
  const image = safeImage(logo);
  return (
    <div
      className={classes.stage}
      role="img"
      aria-label={t('widgetPreview')}
      data-theme={theme === 'auto' ? own : theme}
      data-position={position}
      style={{ '--p-accent': color, '--p-on-accent': contrastColor(color) } as CSSProperties}
    >
      <div className={classes.window}>
        <div className={classes.head}>
          {image && <img src={image} alt="" className={classes.logo} />}
          <span>{phrase('Chat_with_us')}</span>
        </div>
        <div className={classes.talk}>
          <div className={classes.theirs}>{phrase('Welcome_message')}</div>
          <div className={classes.mine}>{t('hello')}</div>
        </div>
        <div className={classes.foot}>{phrase('Type_message_here')}</div>
      </div>
      <div className={classes.bubble}>
        <Icon name="chats" size={22} />
        <span>{button}</span>
      </div>
    </div>
  );
};
