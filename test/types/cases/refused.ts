/** What must not compile: each line would, if its option or field were not typed. */
import { collapse, createSketcher, dedup, dedupFiles, findPairs, findPairsInFiles, openIndex, tune } from 'neardup';

const articles = [{ id: 1, text: 'a', published: new Date() }];

// @ts-expect-error: a number
await dedup(articles, { threshold: 'banana' });
// @ts-expect-error: one of three words
await dedup(articles, { measure: 42 });
// @ts-expect-error: dice is a measure to report
await dedup(articles, { measure: 'dice' });
// @ts-expect-error: no such option
await dedup(articles, { treshold: 0.8 });
// @ts-expect-error: an option of files
await dedup(articles, { memory: '2GB' });
// @ts-expect-error: words or characters
await dedup(articles, { shingle: 'line:3' });
// @ts-expect-error: no such sketch
await dedup(articles, { sketch: 'bloom:9' });
// @ts-expect-error: bands by rows
await dedup(articles, { lsh: 'bands:20' });
// @ts-expect-error: no such policy
await dedup(articles, { keep: 'newest' });
// @ts-expect-error: prefer needs values
await dedup(articles, { keep: 'prefer:source' });
// @ts-expect-error: no such step
await dedup(articles, { normalise: ['upper'] });
// @ts-expect-error: no stemmer for it
await dedup(articles, { normalise: 'stem:klingon' });
// @ts-expect-error: a whole number
await dedup(articles, { seed: 'secret:NAME' });
// @ts-expect-error: a boolean
findPairs(articles, { exact: 'yes' });
// @ts-expect-error: a text is a string
await dedup([{ id: 1, text: 5 }]);
// @ts-expect-error: elements are strings or numbers
await dedup([{ id: 1, set: [new Date()] }]);
// @ts-expect-error: a string is no set
await dedup([{ id: 1, set: 'abc' }]);
// @ts-expect-error: documents, not a text
await dedup('text');
// @ts-expect-error: kept holds the caller's own objects
(await dedup(articles)).kept[0]?.title;
// @ts-expect-error: results are read-only
(await dedup(articles)).kept.push(articles[0]!);
// @ts-expect-error: results are objects
await collapse(['a']);
// @ts-expect-error: in an index an id is a key
await (await openIndex('memory:')).add({ text: 'a' });
// @ts-expect-error: new, all or none
await openIndex('memory:', { store: 'some' });
// @ts-expect-error: an index has no edit option of this name
await openIndex('memory:', { cluster: 'direct' });
// @ts-expect-error: a number of bits
await createSketcher({ bits: '8' });
// @ts-expect-error: a number
tune({ threshold: '0.8' });
// @ts-expect-error: a size has a unit
await dedupFiles('a.jsonl', { memory: 'lots' });
// @ts-expect-error: a percentage
await dedupFiles('a.jsonl', { maxRemoved: 30 });
// @ts-expect-error: pairs are not kept
findPairsInFiles('a.jsonl', { keep: 'longest' });
// @ts-expect-error: a signal
await collapse([{ text: 'a' }], { signal: 'stop' });
