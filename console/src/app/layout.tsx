import { Link, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Icon } from '../design/icon.tsx';
import { goLive, leaveLive } from '../realtime/live.ts';
import { destinations } from './destinations.ts';
import classes from './layout.module.css';
import { LiveMark } from './live-mark.tsx';
import { PhoneMenu } from './phone-menu.tsx';
import { ProfileMenu } from './profile-menu.tsx';

export const Layout = () => {
  useEffect(() => {
    goLive();
    return leaveLive;
  }, []);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to the content
      </a>
      <nav className={classes.rail} aria-label="Main">
        <ul className={classes.list}>
          {destinations.map(({ to, label, icon, onPhone }) => (
            <li key={to} data-phone={onPhone || undefined}>
              <Link to={to} className={classes.link} activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} />
                <span>{label}</span>
              </Link>
            </li>
          ))}
          <li className={classes.phoneOnly}>
            <PhoneMenu className={classes.link!} />
          </li>
        </ul>
        <div className={classes.foot}>
          <ProfileMenu />
        </div>
      </nav>
      <div className={classes.stage}>
        <LiveMark />
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
};
