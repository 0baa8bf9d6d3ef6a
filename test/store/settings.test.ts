/** Settings of the calls of an index: a misspelt one is an error, and not ignored. */
import { describe, expect, it } from 'vitest';
import { flagOf, plainName } from '../../src/options.ts';
import { readIndexOptions } from '../../src/store/index-options.ts';
import { readSearchSettings } from '../../src/store/search.ts';
import { indexAt } from '../support/indexes.ts';

describe('a setting that a call does not know', () => {
  const document = { id: 'a', text: 'one two three four five six' };

  it('is refused by every call, with the name that was probably meant', async () => {
    const index = await indexAt('memory:');
    const wrong = (name: string) => ({ [name]: 1 }) as never;
    await expect(index.search(document, wrong('treshold'))).rejects.toThrow(
      'setting name must be one of limit, threshold, measure, got "treshold"; did you mean threshold?',
    );
    await expect(index.add(document, wrong('Store'))).rejects.toThrow('did you mean store?');
    await expect(index.put(document, wrong('stor'))).rejects.toThrow('did you mean store?');
    await expect(index.clusters(wrong('limits'))).rejects.toThrow('did you mean limit?');
    await expect(index.addAll([document], wrong('onDecide')).next()).rejects.toThrow('did you mean onDecided?');
    await expect(indexAt('memory:', wrong('treshold'))).rejects.toThrow('did you mean threshold?');
    expect(await index.stats()).toMatchObject({ documents: 0 });
  });

  it('of a search by edit distance, or by a measure it was not made for, says so as the caller writes it', async () => {
    const index = await indexAt('memory:');
    await expect(index.search(document, { measure: 'edit' })).rejects.toThrow(
      'measure edit with an index: an index has no edit distance',
    );
    const { options } = readIndexOptions({}, plainName);
    expect(() => readSearchSettings({ measure: 'containment' }, options, flagOf)).toThrow(
      '--measure containment in an index made with --measure resemblance',
    );
  });
});
