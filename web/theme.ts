/** Light, dark, or as the system says; the choice is remembered in this browser. */
import { effect, signal } from '@preact/signals';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'neardup-theme';

export const theme = signal<Theme>(remembered());

effect(() => {
  const chosen = theme.value;
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  try {
    if (chosen === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
});

function remembered(): Theme {
  try {
    return themes.find(one => one === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}
