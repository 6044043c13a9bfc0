(() => {
  const { src, dataset } = document.currentScript;
  const endpoint = new URL('tracking/beacon', src).href;
  const license = Number(dataset.license);
  const group = dataset.group ? Number(dataset.group) : undefined;
  const key = `parley_visitor_${license}`;
  let id;
  let secret;
  let url;
  let timer;
  let handler;
  let shown;
  let hiddenAt;
  let tries = 0;

  const hex = (bytes) =>
    Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => (byte + 256).toString(16).slice(1)).join('');
  const keep = (value) => {
    try {
      return value ? localStorage.setItem(key, value) : localStorage[key];
    } catch {
      // biome-ignore lint/suspicious/noDocumentCookie: the other way is not there when storage is forbidden
      if (value) document.cookie = `${key}=${value};path=/;max-age=63072000;samesite=lax`;
      return RegExp(`${key}=([\\w.-]+)`).exec(document.cookie)?.[1];
    }
  };
  const become = (known) => {
    [id, secret] = (known || '').split('.');
    if (secret) return;
    id = hex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
    secret = hex(24);
    keep(`${id}.${secret}`);
  };

  const send = (event, more) => {
    const page = { url: location.href, title: document.title };
    const body = JSON.stringify({ license, group, visitor_id: id, secret, event, page, ...more });
    if (event === 'leave') return void navigator.sendBeacon(endpoint, body);
    fetch(endpoint, { method: 'POST', body, keepalive: true, credentials: 'omit' })
      .then((answer) => answer.json())
      .catch(() => ({}))
      .then(({ recognised, next_in = 20, look, greeting }) => {
        if (recognised === false && tries++ < 2) {
          become();
          return view();
        }
        if (greeting && handler && greeting.unique_id !== shown) {
          shown = greeting.unique_id;
          handler(greeting);
        }
        clearTimeout(timer);
        timer = setTimeout(beat, next_in * 1000, look);
      });
  };
  const view = () => {
    url = location.href;
    send('view', {
      referrer: document.referrer || undefined,
      language: navigator.language,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      look: !!handler,
    });
  };
  const leave = () => {
    clearTimeout(timer);
    send('leave');
  };
  const beat = (look) =>
    hiddenAt && Date.now() - hiddenAt > 240000 ? leave() : send('beat', { look: !!(look && handler) });

  const decide = (decision) => (greeting) => send('beat', { greeting: { ...greeting, decision } });

  const api = {
    get_visitor_id: () => id,
    page_view: view,
    set_custom_variables: (variables) => send('beat', { variables, look: !!handler }),
    reach_goal: (id, order) => send('beat', { goals: [{ id, ...order }] }),
    on_greeting: (show) => {
      handler = show;
      if (url) beat(true);
    },
    accept_greeting: decide('accepted'),
    refuse_greeting: decide('refused'),
  };

  become(keep());
  addEventListener('pagehide', leave);
  addEventListener('pageshow', ({ persisted }) => persisted && view());
  document.addEventListener('visibilitychange', () => {
    hiddenAt = document.hidden ? Date.now() : 0;
    if (!hiddenAt) beat(true);
  });
  setInterval(() => location.href !== url && view(), 1000);
  const early = window.ParleyTracking;
  window.ParleyTracking = api;
  if (Array.isArray(early)) for (const call of early) call(api);
  if (!url) view();
})();
