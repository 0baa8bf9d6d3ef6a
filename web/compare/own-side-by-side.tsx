/** Two texts side by side within another view, which keeps neither what is shown nor where in it the reader is. */
import { useSignal } from '@preact/signals';
import { SideBySide, type SideBySideProps } from './side-by-side.tsx';

interface Chosen {
  readonly of: SideBySideProps['compared'];
  readonly number: number;
}

export function OwnSideBySide(
  props: Pick<SideBySideProps, 'a' | 'b' | 'compared'> & { readonly first: SideBySideProps['show'] },
) {
  const { first, ...texts } = props;
  const show = useSignal(first);
  // A number is of the two texts it was chosen in, and means nothing in the next two.
  const passage = useSignal<Chosen | undefined>(undefined);
  const difference = useSignal<Chosen | undefined>(undefined);
  const numberIn = (chosen: Chosen | undefined) => (chosen?.of === texts.compared ? chosen.number : undefined);
  return (
    <SideBySide
      {...texts}
      show={show.value}
      onShow={value => {
        show.value = value;
      }}
      passage={numberIn(passage.value)}
      onPassage={number => {
        passage.value = { of: texts.compared, number };
      }}
      difference={numberIn(difference.value)}
      onDifference={number => {
        difference.value = { of: texts.compared, number };
      }}
    />
  );
}
