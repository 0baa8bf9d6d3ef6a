/** The width of the window → whether lists give an excerpt a line of its own. */
import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 640px)');
export const isNarrow = signal(query.matches);
query.addEventListener('change', () => {
  isNarrow.value = query.matches;
});
