import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { queryClient } from '../api/queries.ts';
import { sessionQuery } from '../api/session.ts';
import { Failure, Loading } from '../design/states.tsx';
import { type Area, loadMessages } from '../i18n/messages.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';

/** A page whose texts are fetched together with its code, which waits for them. */
const lazyPage = <M extends Record<string, unknown>>(area: Area, load: () => Promise<M>, name: keyof M & string) =>
  lazyRouteComponent(() => {
    loadMessages(area).catch(() => {});
    return load();
  }, name);

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Remembers the current URL so that signing in returns to it. */
const requireSession = async ({ location }: { location: { publicHref: string } }): Promise<void> => {
  const session = await queryClient.ensureQueryData(sessionQuery);
  if (!session) throw redirect({ to: '/sign-in', search: { back: location.publicHref } });
};

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: requireSession,
  component: Layout,
});

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { back?: string | undefined } => ({ back: readText(search.back) }),
  component: lazyPage('sign-in', () => import('../pages/sign-in/index.tsx'), 'SignInPage'),
});

const forgottenRoute = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  component: lazyPage('sign-in', () => import('../pages/sign-in/index.tsx'), 'ForgottenPasswordPage'),
});

const readToken = (search: Record<string, unknown>): { token?: string | undefined } => ({
  token: readText(search.token),
});

const resetRoute = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: readToken,
  component: lazyPage('sign-in', () => import('../pages/sign-in/index.tsx'), 'ResetPasswordPage'),
});

const firstRunRoute = createRoute({
  getParentRoute: () => root,
  path: '/first-run',
  validateSearch: readToken,
  component: lazyPage('sign-in', () => import('../pages/sign-in/index.tsx'), 'FirstRunPage'),
});

const homeRoute = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/chats' });
  },
});

const chatsRoute = createRoute({
  getParentRoute: () => inside,
  path: '/chats',
  component: lazyPage('chats', () => import('../pages/chats/index.tsx'), 'ChatsPage'),
});

/** `/chats/<id>` opens a conversation. */
const chatRoute = createRoute({ getParentRoute: () => chatsRoute, path: '$chatId' });

/** A page that handles the rest of the path itself, with `useParams({ strict: false })._splat`. */
const createSplatRoute = <A extends Area, M extends Record<string, unknown>>(
  area: A,
  load: () => Promise<M>,
  name: keyof M & string,
) => {
  const page = createRoute({ getParentRoute: () => inside, path: `/${area}`, component: lazyPage(area, load, name) });
  return page.addChildren([createRoute({ getParentRoute: () => page, path: '$' })]);
};

const routeTree = root.addChildren([
  signInRoute,
  forgottenRoute,
  resetRoute,
  firstRunRoute,
  inside.addChildren([
    homeRoute,
    chatsRoute.addChildren([chatRoute]),
    createSplatRoute('visitors', () => import('../pages/visitors/index.tsx'), 'VisitorsPage'),
    createSplatRoute('archives', () => import('../pages/archives/index.tsx'), 'ArchivesPage'),
    createSplatRoute('tickets', () => import('../pages/tickets/index.tsx'), 'TicketsPage'),
    createSplatRoute('reports', () => import('../pages/reports/index.tsx'), 'ReportsPage'),
    createSplatRoute('team', () => import('../pages/team/index.tsx'), 'TeamPage'),
    createSplatRoute('settings', () => import('../pages/settings/index.tsx'), 'SettingsPage'),
    createSplatRoute('profile', () => import('../pages/profile/index.tsx'), 'ProfilePage'),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
