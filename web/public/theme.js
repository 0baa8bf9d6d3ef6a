// Before the first paint: the theme that was chosen here, if one was.
try {
  const theme = localStorage.getItem('neardup-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then the system's theme counts.
}
