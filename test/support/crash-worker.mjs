/**
 * A location and a seed → an index under several clients that never stop, until the process is killed.
 *
 * Each operation is told on standard output before it begins, and again with its answer. Clients have words and ids of
 * their own, so that what one of them did can be followed without the others.
 */
import { writeSync } from 'node:fs';
import { lmdbLocation } from '../../dist/store/lmdb/lmdb-location.js';
import { openIndexIn } from '../../dist/store/open-index.js';
import { redisLocation } from '../../dist/store/redis/redis-location.js';

const [folder, seedText, clientsText, limitsText, crowdsText] = process.argv.slice(2);
const say = line => writeSync(1, `${JSON.stringify(line)}\n`);
let state = (Number(seedText) * 2654435761) >>> 0 || 1;
const below = bound => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return Math.floor(((state >>> 0) / 2 ** 32) * bound);
};

const options = { shingle: 'word:1', lsh: 'bands:128x1', threshold: 0.5 };
const limits = JSON.parse(limitsText);
const location = folder.startsWith('redis:') ? redisLocation(folder, limits) : lmdbLocation(folder, false, limits);
const crowds = crowdsText === undefined ? undefined : JSON.parse(crowdsText);
const index = await openIndexIn(location, folder, options, undefined, undefined, crowds);
say({ ready: true });
for (let client = 0; client < Number(clientsText); client++) void run(client);
void compactAgainAndAgain();

async function run(client) {
  for (;;) {
    const operation = someOperation(client);
    say({ client, begin: operation });
    const answer = await perform(operation);
    say({ client, answer });
  }
}

function someOperation(client) {
  const id = `c${client}d${below(12)}`;
  const kind = ['add', 'add', 'add', 'add', 'put', 'remove'][below(6)];
  if (kind === 'remove') return { kind, id };
  const words = new Set(Array.from({ length: below(9) }, () => `c${client}t${below(2)}w${below(8)}`));
  // Each client's texts without words are its own.
  return {
    kind,
    id,
    text: words.size === 0 ? '.'.repeat(client + 1) : [...words].join(' '),
    store: ['new', 'new', 'all', 'none'][below(4)],
  };
}

async function perform({ kind, id, text, store }) {
  try {
    return kind === 'remove' ? await index.remove(id) : await index[kind]({ id, text }, { store });
  } catch (error) {
    if (error.code === 'ID_TAKEN') return error.code;
    say({ failed: error.stack });
    process.exit(1);
  }
}

async function compactAgainAndAgain() {
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, below(200)));
    await index.compact();
  }
}
