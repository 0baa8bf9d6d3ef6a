/** An index as a plain list: every text compared with every other, on sets of words. The slow twin of src/store. */

type Status = 'new' | 'exact' | 'near';

interface Known {
  readonly id: string;
  readonly text: string;
  readonly isStored: boolean;
  readonly status: Status;
  readonly of?: Known;
  readonly resemblance?: number;
  readonly containment?: number;
}

export interface Model {
  add(id: string, text: string, store: string): object | string;
  put(id: string, text: string, store: string): object | string;
  check(id: string, text: string): object | string;
  remove(id: string): boolean;
  search(text: string): object[];
  clusters(): object[];
  counts(): Record<string, number>;
  verdictOf(id: string): object | undefined;
  textOf(id: string): string | undefined;
  clone(): Model;
}

export function createModel(threshold: number, begun: readonly Known[] = []): Model {
  /** In the order they were added. */
  let list: Known[] = structuredClone([...begun]);

  const find = (id: string) => list.find(known => known.id === id);
  const shown = ({ id, status, of, resemblance, containment }: Known) =>
    of === undefined ? { id, status } : { id, status, of: of.id, resemblance, containment };

  const judge = (id: string, text: string, others: readonly Known[]): Known => {
    const stored = others.filter(({ isStored }) => isStored);
    const equal = stored.find(known => known.text === text);
    const base = { id, text, isStored: false };
    if (equal) return { ...base, status: 'exact', of: equal, resemblance: 1, containment: 1 };
    let best: Known | undefined;
    for (const of of stored) {
      const { resemblance, containment } = likeness(text, of.text);
      if (resemblance >= threshold && resemblance > (best?.resemblance ?? 0))
        best = { ...base, status: 'near', of, resemblance, containment };
    }
    return best ?? { ...base, status: 'new' };
  };

  const add = (id: string, text: string, store: string) => {
    const known = find(id);
    if (known) return known.text === text ? shown(known) : 'ID_TAKEN';
    const verdict = judge(id, text, list);
    const isStored = store === 'all' || (store === 'new' && verdict.status === 'new');
    list.push({ ...verdict, isStored });
    return shown(verdict);
  };

  const remove = (id: string): boolean => {
    const gone = find(id);
    if (!gone) return false;
    list = list.filter(known => known !== gone && (known.isStored || known.of !== gone));
    const alone = list.filter(({ of }) => of === gone);
    for (const known of alone) replace(known, { id: known.id, text: known.text, isStored: true, status: 'new' });
    return true;
  };

  /** In its place; those that rest on it go on resting on it. */
  const replace = (old: Known, by: Known) => {
    list = list.map(known => (known === old ? by : known));
    for (const known of list.filter(({ of }) => of === old)) replace(known, { ...known, of: by });
  };

  return {
    add,
    remove,
    clone: (): Model => createModel(threshold, list),
    put(id: string, text: string, store: string) {
      const known = find(id);
      if (known?.text === text) return shown(known);
      remove(id);
      return add(id, text, store);
    },
    check(id: string, text: string) {
      const known = find(id);
      if (known) return known.text === text ? shown(known) : 'ID_TAKEN';
      return shown(judge(id, text, list));
    },
    search(text: string) {
      return list
        .filter(({ isStored }) => isStored)
        .map(known => ({
          known,
          ...(known.text === text ? { resemblance: 1, containment: 1 } : likeness(text, known.text)),
        }))
        .filter(({ resemblance }) => resemblance >= threshold)
        .sort((a, b) => b.resemblance - a.resemblance || list.indexOf(a.known) - list.indexOf(b.known))
        .map(({ known, resemblance, containment }) => ({ id: known.id, resemblance, containment }));
    },
    clusters() {
      return list.flatMap(representative => {
        const members = list.filter(({ of }) => of === representative);
        if (members.length === 0) return [];
        return [
          {
            cluster: representative.id,
            state: 'open',
            size: members.length + 1,
            representative: representative.id,
            members: [representative.id, ...members.map(({ id }) => id)],
            minResemblance: Math.min(...members.map(({ resemblance }) => resemblance!)),
            stored: [representative, ...members].filter(({ isStored }) => isStored).map(({ id }) => id),
          },
        ];
      });
    },
    counts() {
      const count = (status: Status) => list.filter(known => known.status === status).length;
      return { new: count('new'), exact: count('exact'), near: count('near'), contained: 0 };
    },
    verdictOf(id: string) {
      const known = find(id);
      return known && shown(known);
    },
    textOf(id: string): string | undefined {
      const known = find(id);
      return known?.isStored ? known.text : undefined;
    },
  };
}

function likeness(a: string, b: string): { resemblance: number; containment: number } {
  const [setA, setB] = [wordsOf(a), wordsOf(b)];
  if (setA.size === 0 || setB.size === 0) return { resemblance: 0, containment: 0 };
  const shared = [...setA].filter(word => setB.has(word)).length;
  return { resemblance: shared / (setA.size + setB.size - shared), containment: shared / setA.size };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(' ').filter(word => /\w/.test(word)));
}
