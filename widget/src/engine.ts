import { readTabStorage, writeStorage, writeTabStorage } from '#browser/storage.ts';
import type { Customer } from '#contracts/chat/customers.ts';
import type { Configuration } from '#contracts/customer/configuration.ts';
import type { LoginResponse } from '#contracts/customer/login.ts';
import type { App, Core, DynamicConfiguration, Push, Shell, Visibility } from './core.ts';
import { connect } from './engine/connection.ts';
import { createSessionVariables } from './engine/session-variables.ts';

/** Pushes that need the app. */
const NEEDS_APP = /^incoming_(greeting|chat|event)$/;

/** Connects to the server, controls the bubble and loads the app when there is something to show. */
export const run = (shell: Shell): void => {
  const { options, root, api, bubble, configurationKey } = shell;
  const { groupId } = options;
  const visibilityKey = `parley_visibility_${options.organizationId}`;
  let { cached } = shell;
  let visibility = (readTabStorage(visibilityKey) as Visibility | null) ?? 'minimized';
  let dynamic: DynamicConfiguration | undefined;
  let online = cached?.online ?? false;
  let ready = false;
  let app: App | undefined;
  let loading: Promise<App | undefined> | undefined;
  let customer: Customer | undefined;
  /** Set by the page through the JavaScript API; takes precedence over the server's data. */
  let pageCustomer: { name?: string; email?: string } = {};
  /** Pushes that arrived while the app was loading. */
  const bufferedPushes: Push[] = [];

  const load = (): Promise<App | undefined> => {
    loading ??= import('./app.tsx').then(
      ({ start }) => {
        app = start(core);
        for (const push of bufferedPushes.splice(0)) app.onPush(push);
        return app;
      },
      () => {
        loading = undefined;
        return undefined;
      },
    );
    return loading;
  };

  const updateBubble = (): void => {
    const reachable = online || !!cached?.content.ticket_form || !!app?.describe().threadId;
    bubble.show(visibility !== 'hidden' && !!cached && reachable && connection.state() !== 'refused');
    bubble.setOpen(visibility === 'maximized');
    app?.refresh();
  };

  const setVisibility = (next: Visibility): void => {
    const changed = next !== visibility;
    visibility = next;
    writeTabStorage(visibilityKey, next);
    if (next === 'maximized' && cached) void load();
    updateBubble();
    if (changed) api.emit('visibility_changed', { visibility });
  };

  const setOnline = (now: boolean): void => {
    const changed = online !== now;
    online = now;
    if (cached) {
      cached = { ...cached, online, hidden: !online && !cached.content.ticket_form };
      writeStorage(configurationKey, cached);
      bubble.applyConfiguration(cached.content, online);
    }
    updateBubble();
    if (changed && ready) api.emit('availability_changed', { availability: online ? 'online' : 'offline' });
  };

  const loadConfiguration = async ({ config_version: version, group_id }: DynamicConfiguration): Promise<void> => {
    if (cached?.version === version) return;
    const content = await connection.request<Configuration>('get_configuration', { group_id, version });
    cached = { version, content, online, hidden: false };
  };

  const onLogin = async (answer: LoginResponse): Promise<void> => {
    dynamic = answer.__priv_dynamic_config as unknown as DynamicConfiguration;
    if (!dynamic.domain_allowed) return connection.stop();
    customer = { ...answer.customer, ...pageCustomer };
    variables.addFromServer(customer.session_fields);
    await loadConfiguration(dynamic);
    setOnline(dynamic.online_groups_ids.includes(groupId));
    const hasContent =
      answer.has_active_thread || answer.greeting || answer.chats.some((chat) => chat.has_unread_events);
    if (app) app.onLogin(answer);
    else if (hasContent || visibility === 'maximized') void load();
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
    if (app || !NEEDS_APP.test(push.action)) return;
    bufferedPushes.push(push);
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

  const setCustomer = (more: typeof pageCustomer): void => {
    pageCustomer = { ...pageCustomer, ...more };
    connection.requestWhenOnline('update_customer', more);
    if (!customer) return;
    customer = { ...customer, ...more };
    app?.onPush({ action: 'customer_updated', payload: customer });
  };

  const connection = connect(options, {
    onLogin: (answer) => void onLogin(answer).catch(() => {}),
    onPush,
    onLink: (state) => {
      updateBubble();
      app?.onLink(state);
    },
  });
  const variables = createSessionVariables(connection);
  const core: Core = {
    options,
    root,
    connection,
    bubble,
    setVisibility,
    emit: api.emit,
    configuration: () => cached!.content,
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
      set_customer_name: (name: string) => setCustomer({ name }),
      set_customer_email: (email: string) => setCustomer({ email }),
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
