/** `neardup filter` as its users have it: between a crawler and what reads the new documents, either of which may stop or be gone. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagesIn, openAt } from '../support/indexes.ts';
import { outsideFile } from '../support/outside.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const proc = outsideFile('/proc/self/fdinfo', 'how far a stopped filter reads, and the memory of a long one');
/** What may be passed on and not yet on the disk: a batch. */
const UNDER_WAY = 64;

/** Lines of `words` words; of each ten documents two come a second time, under another id. */
function makeLines(count: number, words: number, seed = 1): string[] {
  const random = createRandom(seed);
  const texts: string[] = [];
  return Array.from({ length: count }, (_, n) => {
    const isCopy = n > 0 && random.below(10) < 2;
    const fresh = Array.from({ length: words }, () => random.below(2 ** 32).toString(36)).join(' ');
    const text = isCopy ? random.pick(texts) : fresh;
    texts.push(text);
    // Written as nobody here would write it, to be passed on as it is.
    return `{ "text":"${text}",  "id" : "d${n}", "é": 1.50 }`;
  });
}

function start(index: string, stdin: number, stdout: number | 'pipe'): ChildProcess {
  return spawn(process.execPath, [main, 'filter', '--index', index, '--quiet', '-'], {
    stdio: [stdin, stdout, 'inherit'],
  });
}

const idOf = (line: string): string => JSON.parse(line).id;

/** Ids of the documents that the index holds. */
async function remembered(index: string, ids: readonly string[]): Promise<Set<string>> {
  const opened = await openAt(index, { readOnly: true });
  expect(await damagesIn(opened)).toEqual([]);
  const found = new Set<string>();
  for (const id of ids) if ((await opened.verdictOf(id))?.status === 'new') found.add(id);
  await opened.close();
  return found;
}

it('passes on at least once what it remembers, however often it is killed, in order and as it came', async () => {
  const folder = temporaryFolder();
  const [index, input, output] = ['seen', 'in.jsonl', 'out.jsonl'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const lines = makeLines(10_000, 40);
  writeFileSync(input, `${lines.join('\n')}\n`);
  const whole = spawnSync(process.execPath, [main, 'filter', '--index', join(folder, 'other'), input], {
    maxBuffer: 2 ** 30,
  });
  const wanted = String(whole.stdout).split('\n').slice(0, -1);
  expect(wanted.length).toBeGreaterThan(7000);
  const place = new Map(lines.map((line, at) => [line, at]));

  const random = createRandom(3);
  const seen = new Set<string>();
  let [size, twice, cut] = [0, 0, 0];
  for (let run = 1; ; run++) {
    const [from, to] = [openSync(input, 'r'), openSync(output, 'a')];
    const child = start(index, from, to);
    const exit = once(child, 'exit');
    // Ten are killed, soon after they have begun to write.
    if (run <= 10) {
      const deadline = Date.now() + 20_000;
      while (statSync(output).size === size && Date.now() < deadline) await sleep(2);
      await sleep(random.below(150));
      child.kill('SIGKILL');
    }
    const [code] = await exit;
    closeSync(from);
    closeSync(to);
    const written = readFileSync(output).subarray(size).toString();
    size += Buffer.byteLength(written);
    expect(written === '' || written.endsWith('\n')).toBe(true);
    const out = written.split('\n').slice(0, -1);
    const places = out.map(line => place.get(line)!);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    // What came before and comes again had not been remembered yet.
    const again = out.filter(line => seen.has(line)).length;
    expect(again).toBeLessThanOrEqual(UNDER_WAY);
    twice += again;
    for (const line of out) seen.add(line);
    if (code === 0) break;
    cut++;
    const ids = new Set([...seen].map(idOf));
    for (const id of await remembered(index, lines.map(idOf))) expect(ids, `after kill ${run}`).toContain(id);
  }
  expect(cut).toBe(10);
  expect([...seen].sort()).toEqual([...wanted].sort());
  expect(await remembered(index, lines.map(idOf))).toEqual(new Set(wanted.map(idOf)));
  console.log(`${cut} kills: ${wanted.length} documents passed on, ${twice} of them twice`);
}, 300_000);

it.skipIf(!proc)('stops reading when nobody reads what it writes, and remembers nothing that is not out', async () => {
  const folder = temporaryFolder();
  const [index, input] = [join(folder, 'seen'), join(folder, 'in.jsonl')];
  const lines = makeLines(200_000, 8);
  writeFileSync(input, `${lines.join('\n')}\n`);
  const from = openSync(input, 'r');
  const child = start(index, from, 'pipe');
  const offset = () => Number(/^pos:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/fdinfo/0`, 'utf8'))![1]);
  let stopped = -1;
  for (let still = 0; still < 10; await sleep(100)) {
    const now = offset();
    still = now > 0 && now === stopped ? still + 1 : 0;
    stopped = now;
  }
  expect(stopped).toBeLessThan(statSync(input).size / 2);
  child.kill('SIGKILL');
  let out = '';
  for await (const data of child.stdout!) out += data;
  closeSync(from);
  const ids = new Set(out.split('\n').slice(0, -1).map(idOf));
  expect(ids.size).toBeGreaterThan(100);
  for (const id of await remembered(index, lines.slice(0, 20_000).map(idOf))) expect(ids).toContain(id);
});

it.skipIf(!proc)(
  'takes no more memory the longer the stream is',
  async () => {
    const index = join(temporaryFolder(), 'seen');
    const child = spawn(process.execPath, [main, 'filter', '--index', index, '--quiet'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    child.stdout!.resume();
    const memory = () =>
      Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
    // Half of them are pages that came before, under other addresses.
    const pages = makeLines(2000, 400).map(line => line.replace(/"id" : .*/, ''));
    let [fed, most] = [0, 0];
    for (let round = 0; round < 60; round++) {
      const from = round % 2 ? `x${round} ` : '';
      const chunk = pages.map((page, n) => `${page.replaceAll(' z', ` ${from}z`)}"id":"r${round}p${n}"}\n`).join('');
      if (!child.stdin!.write(chunk)) await once(child.stdin!, 'drain');
      fed += chunk.length / 1e6;
      most = Math.max(most, memory());
    }
    child.stdin!.end();
    expect((await exit)[0]).toBe(0);
    console.log(`${Math.round(most)} MB of memory for ${Math.round(fed)} MB of documents`);
    expect(fed).toBeGreaterThan(350);
    expect(most).toBeLessThan(300);
  },
  400_000,
);

it('ends quietly when its reader has seen enough, and remembers nothing that is not out', async () => {
  const folder = temporaryFolder();
  const [index, input] = [join(folder, 'seen'), join(folder, 'in.jsonl')];
  const lines = makeLines(20_000, 40);
  writeFileSync(input, `${lines.join('\n')}\n`);
  const pipeline = '"$1" "$2" filter --index "$3" "$4" --quiet; echo $? > "$3.code"';
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `(${pipeline}) | head -1`, 'sh', process.execPath, main, index, input],
    { encoding: 'utf8' },
  );
  expect({ stdout, stderr }).toEqual({ stdout: `${lines[0]}\n`, stderr: '' });
  expect(readFileSync(`${index}.code`, 'utf8')).toBe('0\n');
  // All that `head` and the pipe between can have taken is at the beginning.
  const found = await remembered(index, lines.map(idOf));
  const taken = ((64 + 64) * 1024) / lines[0]!.length;
  for (const id of found) expect(Number(id.slice(1))).toBeLessThan(taken);
});

/** Lines into a running filter, in small writes that end anywhere; the signal comes in the middle, and then no more. */
async function feedAndStop(index: string, input: Buffer, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, [main, 'filter', '--index', index], { stdio: ['pipe', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  child.stdin!.on('error', () => {});
  let [out, notes] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', text => {
    out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', text => {
    notes += text;
  });
  const stopAt = input.length / 2;
  let isSent = false;
  for (let at = 0; at < input.length && child.exitCode === null; at += 10_007) {
    child.stdin!.write(input.subarray(at, at + 10_007));
    if (at > stopAt && !isSent) {
      // Not before it is at work.
      while (out === '') await sleep(5);
      isSent = child.kill(signal);
    }
    await sleep(1);
  }
  const [code] = await exit;
  return { code, notes, lines: out.split('\n').slice(0, -1) };
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s remembers what it passes on and ends with 0, so that nothing comes twice',
  async signal => {
    const index = join(temporaryFolder(), 'seen');
    const lines = makeLines(20_000, 20);
    const input = Buffer.from(`${lines.join('\n')}\n`);
    const first = await feedAndStop(index, input, signal);
    expect(first.code).toBe(0);
    expect(first.notes).toContain(`stopped by ${signal}`);
    const taken = Number(/([\d,]+) documents:/.exec(first.notes)![1]!.replaceAll(',', ''));
    expect(taken).toBeGreaterThan(100);
    expect(taken).toBeLessThan(lines.length);
    // What it took are whole lines from the beginning; whoever goes on there loses nothing.
    for (const rest of [lines.slice(taken), lines]) {
      const again = spawnSync(process.execPath, [main, 'filter', '--index', index, '--quiet'], {
        input: `${rest.join('\n')}\n`,
        maxBuffer: 2 ** 28,
        encoding: 'utf8',
      });
      expect(again.status).toBe(0);
      first.lines.push(...again.stdout.split('\n').slice(0, -1));
    }
    const whole = spawnSync(process.execPath, [main, 'filter', '--index', `${index}-other`, '--quiet'], {
      input,
      maxBuffer: 2 ** 28,
      encoding: 'utf8',
    });
    expect(first.lines).toEqual(whole.stdout.split('\n').slice(0, -1));
  },
  240_000,
);

it('ends by a signal while its input is silent, and while it reads a file', async () => {
  const folder = temporaryFolder();
  const input = join(folder, 'in.jsonl');
  const lines = makeLines(100_000, 20);
  writeFileSync(input, `${lines.join('\n')}\n`);
  for (const source of ['-', input]) {
    const index = join(folder, source === '-' ? 'silent' : 'file');
    const child = spawn(process.execPath, [main, 'filter', '--index', index, source], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const exit = once(child, 'exit');
    child.stdin!.write(`${lines[0]}\n`);
    let out = '';
    child.stdout!.setEncoding('utf8').on('data', text => {
      if (out === '') child.kill('SIGTERM');
      out += text;
    });
    expect(await exit).toEqual([0, null]);
    const passed = out.split('\n').slice(0, -1).map(idOf);
    expect(passed.length).toBeLessThan(lines.length / 2);
    expect(await remembered(index, lines.slice(0, 20_000).map(idOf))).toEqual(new Set(passed));
  }
});

it.skipIf(!proc)('remembers nothing when its standard output is closed', async () => {
  const folder = temporaryFolder();
  const [index, input] = [join(folder, 'seen'), join(folder, 'in.jsonl')];
  const lines = makeLines(10, 20);
  writeFileSync(input, `${lines.join('\n')}\n`);
  const run = (redirect: string) =>
    spawnSync('sh', ['-c', `"$0" "$1" filter --index "$2" "$3" ${redirect}`, process.execPath, main, index, input], {
      encoding: 'utf8',
    });
  const { status, stderr } = run('>&-');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'neardup: cannot write standard output: it is closed; to drop the documents, -o /dev/null\n',
  });
  expect(existsSync(index)).toBe(false);
  expect(run('> /dev/null').status).toBe(0);
  expect(run('-o /dev/null').status).toBe(0);
  expect((await remembered(index, lines.map(idOf))).size).toBeGreaterThan(0);
});

it('leaves no file that it has written nothing to', () => {
  const folder = temporaryFolder();
  const [index, input, output] = [join(folder, 'seen'), join(folder, 'in.jsonl'), join(folder, 'new.jsonl')];
  writeFileSync(input, `nothing\n${makeLines(1, 20)[0]}\n`);
  const run = (...options: string[]) =>
    spawnSync(process.execPath, [main, 'filter', '--index', index, input, '-o', output, ...options]).status;
  expect(run('--strict')).toBe(1);
  expect([existsSync(output), existsSync(index)]).toEqual([false, false]);
  const other = join(folder, 'other.jsonl');
  writeFileSync(other, `${makeLines(1, 20)[0]}\n`);
  spawnSync(process.execPath, [main, 'index', 'add', index, other]);
  // Who wants an index that cannot be had finds no file, either.
  expect(run('--threshold', '0.3')).toBe(1);
  expect(existsSync(output)).toBe(false);
  writeFileSync(output, '');
  expect(run('--strict')).toBe(1);
  expect(existsSync(output)).toBe(true);
});
