// Before the first paint, so that nobody who works in the dark is blinded by a white page.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('parley-colour-scheme') ?? 'auto';
  } catch {
    // Without storage the system decides.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
