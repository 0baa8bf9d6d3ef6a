/** Two texts side by side within another view, which keeps neither the passage nor what is shown. */
import { useSignal } from '@preact/signals';
import { SideBySide, type SideBySideProps } from './side-by-side.tsx';

export function OwnSideBySide(
  props: Pick<SideBySideProps, 'a' | 'b' | 'compared'> & { readonly first: SideBySideProps['show'] },
) {
  const { first, ...texts } = props;
  const show = useSignal(first);
  // A number is of the two texts it was chosen in, and means nothing in the next two.
  const chosen = useSignal<{ of: SideBySideProps['compared']; number: number } | undefined>(undefined);
  return (
    <SideBySide
      {...texts}
      show={show.value}
      onShow={value => {
        show.value = value;
      }}
      passage={chosen.value?.of === texts.compared ? chosen.value.number : undefined}
      onPassage={number => {
        chosen.value = { of: texts.compared, number };
      }}
    />
  );
}
