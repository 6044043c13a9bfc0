import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../api/session.ts';
import { Icon } from '../design/icon.tsx';
import { t } from '../i18n/t.ts';
import { watchChats } from '../notify/watch-chats.ts';
import { retryWaiting } from '../realtime/chats/sending.ts';
import { followChats } from '../realtime/chats/store.ts';
import { useChatLists } from '../realtime/chats/use-chats.ts';
import { connectLive, disconnectLive, onLogin } from '../realtime/live.ts';
import { ConfirmEmailBanner } from './confirm-email-banner.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { destinations } from './destinations.ts';
import classes from './layout.module.css';
import { PhoneMenu } from './phone-menu.tsx';
import { ProfileMenu } from './profile-menu.tsx';

/** Runs the socket, the chat store and notifications while an agent is signed in. */
const useLiveWork = (): void => {
  const { login } = useSession();
  const navigate = useNavigate();
  useEffect(() => {
    const ends = [
      followChats(login),
      watchChats((chatId) => void navigate({ to: '/chats/$chatId', params: { chatId } })),
      onLogin(retryWaiting),
    ];
    connectLive();
    return () => {
      disconnectLive();
      for (const end of ends) end();
    };
  }, [login, navigate]);
};

const Unread = () => {
  const { unread } = useChatLists();
  if (unread === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden>{unread}</span>
      <span className={classes.hidden}>{t('countUnread', { count: unread })}</span>
    </span>
  );
};

export const Layout = () => {
  useLiveWork();
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t('skipToContent')}
      </a>
      <nav className={classes.rail} aria-label={t('main')}>
        <ul className={classes.list}>
          {destinations.map(({ to, label, icon, onPhone }) => (
            <li key={to} data-phone={onPhone || undefined}>
              <Link to={to} className={classes.link} activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} />
                <span>{label}</span>
                {to === '/chats' && <Unread />}
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
        <ConnectionBanner />
        <ConfirmEmailBanner />
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
};
