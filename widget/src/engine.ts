import type { Customer } from '#contracts/chat/customers.ts';
import type { Configuration } from '#contracts/customer/configuration.ts';
import type { LoginAnswer } from '#contracts/customer/login.ts';
import type { App, Core, Dynamic, Push, Shell, Visibility } from './core.ts';
import { connect } from './engine/connection.ts';
import { createVariables } from './engine/variables.ts';
import { keep, keepInTab, recallInTab } from './keep.ts';

/** What the window has to be there for. */
const WAKING = /^incoming_(greeting|chat|event)$/;

/** The visit of a page: one link to the server, the bubble, and the window when there is something to show. */
export const run = (shell: Shell): void => {
  const { options, root, api, bubble, configurationKey } = shell;
  const { groupId } = options;
  const visibilityKey = `parley_visibility_${options.organizationId}`;
  let { kept } = shell;
  let visibility = (recallInTab(visibilityKey) as Visibility | null) ?? 'minimized';
  let dynamic: Dynamic | undefined;
  let online = kept?.online ?? false;
  let ready = false;
  let app: App | undefined;
  let loading: Promise<App | undefined> | undefined;
  let customer: Customer | undefined;
  /** What the page says of the customer, which may be newer than what the server says. */
  let introduced: { name?: string; email?: string } = {};
  /** What the window has to hear of when it comes. */
  const missed: Push[] = [];

  const load = (): Promise<App | undefined> => {
    loading ??= import('./app.tsx').then(
      ({ start }) => {
        app = start(core);
        for (const push of missed.splice(0)) app.onPush(push);
        return app;
      },
      () => {
        loading = undefined;
        return undefined;
      },
    );
    return loading;
  };

  const arrange = (): void => {
    const reachable = online || !!kept?.content.ticket_form || !!app?.describe().threadId;
    bubble.show(visibility !== 'hidden' && !!kept && reachable && connection.state() !== 'refused');
    bubble.setOpen(visibility === 'maximized');
    app?.refresh();
  };

  const setVisibility = (next: Visibility): void => {
    const changed = next !== visibility;
    visibility = next;
    keepInTab(visibilityKey, next);
    if (next === 'maximized' && kept) void load();
    arrange();
    if (changed) api.emit('visibility_changed', { visibility });
  };

  const setOnline = (now: boolean): void => {
    const changed = online !== now;
    online = now;
    if (kept) {
      kept = { ...kept, online, hidden: !online && !kept.content.ticket_form };
      keep(configurationKey, kept);
      bubble.dress(kept.content, online);
    }
    arrange();
    if (changed && ready) api.emit('availability_changed', { availability: online ? 'online' : 'offline' });
  };

  const configure = async ({ config_version: version, group_id }: Dynamic): Promise<void> => {
    if (kept?.version === version) return;
    const content = await connection.request<Configuration>('get_configuration', { group_id, version });
    kept = { version, content, online, hidden: false };
  };

  const onLogin = async (answer: LoginAnswer): Promise<void> => {
    dynamic = answer.__priv_dynamic_config as unknown as Dynamic;
    if (!dynamic.domain_allowed) return connection.stop();
    customer = { ...answer.customer, ...introduced };
    variables.learn(customer.session_fields);
    await configure(dynamic);
    setOnline(dynamic.online_groups_ids.includes(groupId));
    const waits = answer.has_active_thread || answer.greeting || answer.chats.some((chat) => chat.has_unread_events);
    if (app) app.onLogin(answer);
    else if (waits || visibility === 'maximized') void load();
    if (ready) return;
    ready = true;
    api.emit('ready', { state: get('state'), customerData: get('customer_data') });
  };

  const onPush = (push: Push): void => {
    if (push.action === 'groups_status_updated') {
      const found = push.payload.groups.find(({ id }: { id: number }) => id === groupId);
      if (found) setOnline(found.status !== 'offline');
    }
    app?.onPush(push);
    if (app || !WAKING.test(push.action)) return;
    missed.push(push);
    void load();
  };

  const get = (what: string): unknown => {
    const about = app?.describe();
    switch (what) {
      case 'state':
        return { availability: online ? 'online' : 'offline', visibility };
      case 'chat_data':
        return { chatId: about?.chatId ?? null, threadId: about?.threadId ?? null };
      case 'customer_data':
        return {
          id: customer?.id,
          name: customer?.name,
          email: customer?.email,
          isReturning: (customer?.statistics.visits_count ?? 0) > 1,
          status: about?.status ?? 'browsing',
          sessionVariables: variables.all(),
        };
    }
  };

  const introduce = (more: typeof introduced): void => {
    introduced = { ...introduced, ...more };
    connection.requestWhenOnline('update_customer', more);
    if (!customer) return;
    customer = { ...customer, ...more };
    app?.onPush({ action: 'customer_updated', payload: customer });
  };

  const connection = connect(options, {
    onLogin: (answer) => void onLogin(answer).catch(() => {}),
    onPush,
    onLink: (state) => {
      arrange();
      app?.onLink(state);
    },
  });
  const variables = createVariables(connection);
  const core: Core = {
    options,
    root,
    connection,
    bubble,
    setVisibility,
    emit: api.emit,
    configuration: () => kept!.content,
    customer: () => customer,
    dynamic: () => dynamic,
    visibility: () => visibility,
    isOnline: () => online,
  };
  shell.onPress = () => setVisibility(visibility === 'maximized' ? 'minimized' : 'maximized');
  if (shell.pressed) visibility = 'maximized';
  setVisibility(visibility);
  api.serve(
    {
      maximize: () => setVisibility('maximized'),
      minimize: () => setVisibility('minimized'),
      hide: () => setVisibility('hidden'),
      hide_greeting: () => app?.hideGreeting(),
      set_customer_name: (name: string) => introduce({ name }),
      set_customer_email: (email: string) => introduce({ email }),
      set_session_variables: variables.set,
      update_session_variables: (more: Record<string, unknown>) => variables.set({ ...variables.all(), ...more }),
      start_chat: (text?: string) => {
        setVisibility('maximized');
        void load().then((there) => there?.startChat(text));
      },
      destroy: () => {
        connection.stop();
        root.host.remove();
      },
    },
    get,
  );
};
