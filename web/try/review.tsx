/** Groups of near-duplicates → one pair after the other, to call the same or different. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { MeasuresTable } from '../compare/measures.tsx';
import { OwnSideBySide } from '../compare/own-side-by-side.tsx';
import type { ComparedTexts } from '../compare/types.ts';
import { announce } from '../ui/announce.tsx';
import { useKeys } from '../ui/keys.ts';
import { isNarrow } from '../ui/narrow.ts';
import { Block, Id, IdLine, Segments } from '../ui/parts.tsx';
import { many, onOneLine, percent, rounded, withCommas } from '../ui/shown.ts';
import { Windowed } from '../ui/windowed.tsx';
import { Cancelled } from '../work/client.ts';
import { decide, undo, verdictOf } from './decisions.ts';
import { worker } from './state.ts';
import type { Group, Member, RunResult } from './types.ts';

interface Pair {
  readonly group: Group;
  readonly member: Member;
}

const orders = {
  size: { label: 'Largest groups', compare: (a: Pair, b: Pair) => b.group.members.length - a.group.members.length },
  closest: { label: 'Closest decisions', compare: (a: Pair, b: Pair) => a.member.resemblance - b.member.resemblance },
  input: { label: 'As they came', compare: (a: Pair, b: Pair) => a.member.item - b.member.item },
} as const;

export function Review({ result }: { result: RunResult }) {
  const order = useSignal<keyof typeof orders>('size');
  const chosen = useSignal(0);
  const pairs = useMemo(() => {
    const all = result.groups.flatMap(group => group.members.map((member): Pair => ({ group, member })));
    return all.sort(orders[order.value].compare);
  }, [result, order.value]);
  const at = Math.min(chosen.value, pairs.length - 1);
  const choose = (row: number) => {
    chosen.value = Math.min(pairs.length - 1, Math.max(0, row));
  };
  const onDecide = (verdict: 'same' | 'different') => {
    const { group, member } = pairs[at]!;
    decide(group, member, verdict, new Date());
    announce(`Called ${verdict}.`);
    const next = pairs.findIndex((pair, row) => row > at && verdictOf(pair.group, pair.member) === 'undecided');
    if (next !== -1) choose(next);
  };
  const onUndo = () => {
    const undone = undo(new Date());
    if (!undone) return;
    announce('Taken back.');
    choose(pairs.findIndex(({ member }) => member.item === undone.itemA));
  };
  useKeys({
    j: () => choose(at + 1),
    k: () => choose(at - 1),
    s: () => onDecide('same'),
    d: () => onDecide('different'),
    u: onUndo,
  });
  const decided = pairs.filter(({ group, member }) => verdictOf(group, member) !== 'undecided').length;
  return (
    <Block title={`Review: ${withCommas(decided)} of ${many(pairs.length, 'pair')} decided`} id="review">
      <div class="toolbar">
        <Segments
          label="Order"
          hideLabel
          value={order.value}
          choices={Object.entries(orders).map(([value, { label }]) => ({ value: value as keyof typeof orders, label }))}
          onChange={value => {
            order.value = value;
            chosen.value = 0;
          }}
        />
        <span class="note">
          <kbd>j</kbd> <kbd>k</kbd> next and previous
        </span>
      </div>
      <div class="review">
        <Windowed
          label="Pairs to review"
          count={pairs.length}
          rowHeight={isNarrow.value ? 86 : 64}
          chosen={at}
          onChoose={choose}
          row={row => <PairRow {...pairs[row]!} />}
        />
        <div class="review-detail">
          <PairDetail
            key={`${result.documents}-${result.isPartial}`}
            pair={pairs[at]!}
            canCompare={!result.isPartial}
            onDecide={onDecide}
            onUndo={onUndo}
          />
        </div>
      </div>
    </Block>
  );
}

function PairRow({ group, member }: Pair) {
  const verdict = verdictOf(group, member);
  return (
    <div class={`pair-row ${verdict}`}>
      <div>
        <span class={`relation ${member.relation}`}>{member.relation}</span>
        <span class="number">{rounded(member.resemblance)}</span>
        {group.members.length > 1 && <span>group of {withCommas(group.members.length + 1)}</span>}
        {verdict !== 'undecided' && <b>{verdict}</b>}
      </div>
      <div class="cut">
        <IdLine id={member.id} /> <span class="note">{onOneLine(group.excerpt)}</span>
      </div>
    </div>
  );
}

function PairDetail(props: {
  pair: Pair;
  canCompare: boolean;
  onDecide(verdict: 'same' | 'different'): void;
  onUndo(): void;
}) {
  const { group, member } = props.pair;
  const verdict = verdictOf(group, member);
  return (
    <>
      <p>
        <Id id={member.id} /> {verdict === 'different' ? 'stays, as you decided; so does' : 'is removed; what stays is'}{' '}
        <Id id={group.id} />. <span class={`relation ${member.relation}`}>{member.relation}</span>, resemblance{' '}
        {rounded(member.resemblance)}; {percent(member.containment)} of it is in the kept one.
      </p>
      <div class="buttons decision">
        <button type="button" aria-pressed={verdict === 'same'} onClick={() => props.onDecide('same')}>
          Same<kbd>s</kbd>
        </button>
        <button type="button" aria-pressed={verdict === 'different'} onClick={() => props.onDecide('different')}>
          Different<kbd>d</kbd>
        </button>
        <button type="button" onClick={props.onUndo}>
          Undo<kbd>u</kbd>
        </button>
      </div>
      {props.canCompare ? (
        <Texts pair={props.pair} />
      ) : (
        <p class="note">The texts can be seen side by side when all files are read.</p>
      )}
    </>
  );
}

interface Loaded {
  readonly pair: Pair;
  readonly a: string;
  readonly b: string;
  readonly compared: ComparedTexts;
}

function Texts({ pair }: { pair: Pair }) {
  const loaded = useSignal<Loaded | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    let isWanted = true;
    worker.call('compare', { a: pair.member.item, b: pair.group.item }).then(
      reply => {
        if (isWanted) loaded.value = { pair, ...reply };
      },
      error => {
        if (isWanted && !(error instanceof Cancelled)) problem.value = error.message;
      },
    );
    return () => {
      isWanted = false;
    };
  }, [pair, loaded, problem]);
  if (problem.value) return <p class="error">{problem.value}</p>;
  const shown = loaded.value;
  if (!shown) return <p class="note">Comparing …</p>;
  return (
    <div class={shown.pair === pair ? '' : 'waiting'}>
      <OwnSideBySide
        a={{ id: shown.pair.member.id, text: shown.a }}
        b={{ id: shown.pair.group.id, text: shown.b }}
        compared={shown.compared}
        first="differs"
      />
      <details>
        <summary>All measures</summary>
        <MeasuresTable compared={shown.compared} />
      </details>
    </div>
  );
}
