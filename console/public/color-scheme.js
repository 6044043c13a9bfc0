// Sets the color scheme before the first paint, so dark mode does not flash white.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('parley-color-scheme') ?? 'auto';
  } catch {
    // Without storage the system setting applies.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
