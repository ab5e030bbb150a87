// Runs before the first paint, so that the wrong theme does not flash. The key is the one that Mantine uses.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Without storage the system's scheme is used.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
