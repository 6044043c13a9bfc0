import { Link } from '@tanstack/react-router';
import { Icon } from '../../design/icon.tsx';
import { SECTIONS } from './sections.ts';
import classes from './settings.module.css';
import { t } from './t.ts';

/** Navigation next to the section; on small screens a link back to the overview. */
export const SectionsNav = ({ current }: { current: string }) => (
  <>
    <nav className={classes.nav} aria-label={t('settings')}>
      {SECTIONS.map(({ title, sections }) => (
        <div key={title}>
          <p className={classes.heading}>{title}</p>
          <ul>
            {sections.map(({ path, title: name }) => (
              <li key={path}>
                <Link
                  to="/settings/$"
                  params={{ _splat: path }}
                  className={classes.link}
                  aria-current={path === current ? 'page' : undefined}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
    <Link to="/settings" className={classes.back}>
      <Icon name="back" size={18} />
      {t('settings')}
    </Link>
  </>
);
