/** Licences that hang together → what to call the lot: what the names of most of them begin with. */

export interface Licence {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** `GFDL-1.1-only`, `GFDL-1.2`, … → GNU Free Documentation License; the first member gives the name to a mixed lot. */
export function familyName(members: readonly Licence[]): string {
  const stem = mostFrequent(members.map(({ id }) => stemOf(id)));
  const kin = members.filter(({ id }) => stemOf(id) === stem);
  if (kin.length < members.length / 3) return `${members[0]!.id} and others`;
  const shared = sharedStart(kin.map(({ name }) => name.split(/\s+/)));
  // A version, or something in quotes, names one licence and not the family.
  const end = shared.findIndex(word => /^["“(]|^v?\d/.test(word));
  const words = end === -1 ? shared : shared.slice(0, end);
  // One word in common, as in GNU, says less than the ids.
  const family = words.length > 1 ? words.join(' ').replace(/,$/, '') : stem;
  return kin.length === members.length ? family : `${family} and others`;
}

/** `BSD-3-Clause` → BSD */
function stemOf(id: string): string {
  return id.split(/[-+]/)[0]!;
}

/** On a tie the one that comes first. */
function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

function sharedStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = lists;
  const end = first.findIndex((word, at) => rest.some(other => other[at] !== word));
  return end === -1 ? first : first.slice(0, end);
}
