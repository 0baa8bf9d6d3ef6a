/** `{ call, options, documents, boilerplate }` as its argument → the longest time, in ms of this process, that a timer had to wait. */
import { collapse, dedup, findClusters, findPairs, tuneOnSample } from '../../dist/index.js';

const { call, options, documents, boilerplate = 0 } = JSON.parse(process.argv[2]);

/** Other processes may have the processor meanwhile, so what counts is the time that this one had. */
const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const words = Array.from({ length: 5000 }, (_, at) => `word${((at * 7919) % 5000).toString(36)}`);
let state = 1;
const random = below => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state % below;
};
const shared = Array.from({ length: boilerplate }, (_, at) => `boilerplate${at}`);
const textOf = () => [...shared, ...Array.from({ length: 160 }, () => words[random(words.length)])].join(' ');
// Each fourth is a near-copy of the one before.
const corpus = [];
for (let id = 0; id < documents; id++)
  corpus.push({ id, text: id % 4 === 3 ? `${corpus[id - 1].text} and more` : textOf() });

async function run() {
  if (call === 'dedup') return (await dedup(corpus, options)).removed.length;
  if (call === 'collapse') return corpus.length - (await collapse(corpus, options)).length;
  if (call === 'tuneOnSample') return (await tuneOnSample(corpus, options)).sample.read / 4;
  if (call === 'findClusters') return (await findClusters(corpus, options)).length;
  let pairs = 0;
  for await (const _ of findPairs(corpus, options)) pairs++;
  return pairs;
}

// Compiled once: what is measured is the work.
await run();
let longest = 0;
let [last, lastTime] = [used(), performance.now()];
const timer = setInterval(() => {
  const [now, time] = [used(), performance.now()];
  // On a calm machine the clock counts: threads that collect garbage and compile use the processor beside the work.
  longest = Math.max(longest, Math.min(now - last, time - lastTime));
  [last, lastTime] = [now, time];
}, 1);
const found = await run();
longest = Math.max(longest, used() - last);
clearInterval(timer);
process.stdout.write(JSON.stringify({ found, longest }));
