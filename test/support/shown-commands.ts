/** A page of the docs → the commands it shows; a command in the folder of a reader → whether it does what the page says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { main } from './command.ts';
import { otherPrograms } from './example-files.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Shown {
  readonly command: string;
  /** What it prints; undefined: it only has to end well. */
  readonly output?: string;
}

export const readPage = (page: string) => readFileSync(join(root, page), 'utf8');

/** Fenced blocks of some languages, in order. */
export function blocksOf(page: string, ...languages: string[]): { language: string; text: string }[] {
  const found = readPage(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return Array.from(found, ([, language, text]) => ({ language: language!, text: text! })).filter(({ language }) =>
    languages.includes(language),
  );
}

/** `console`: `$ command`, then its output up to the next one. `sh`: a command a line; what installs or builds is not run. */
export function commandsOf(page: string): Shown[] {
  return blocksOf(page, 'console', 'sh').flatMap(({ language, text }) =>
    language === 'sh'
      ? text
          .split('\n')
          .filter(line => line !== '' && !/^(npm|npx|\.ci\/|#)/.test(line))
          .map(command => ({ command }))
      : text
          .split(/^\$ /m)
          .filter(part => part !== '')
          .map(part => {
            const end = part.indexOf('\n');
            return { command: part.slice(0, end), output: part.slice(end + 1) };
          }),
  );
}

/** Runs the commands of one page in order. `neardup serve` goes on while `curl` asks it, on a free port. */
export class Reader {
  readonly #folder: string;
  readonly #redis: () => string;
  #service: ChildProcess | undefined;
  #url = '';

  constructor(folder: string, redis: () => string) {
    this.#folder = folder;
    this.#redis = redis;
  }

  async try({ command, output }: Shown): Promise<void> {
    if (command.startsWith('curl ')) return this.#endsWell(command.replaceAll('localhost:7700', this.#url));
    await this.leave();
    if (/\bneardup serve\b/.test(command)) return this.#serve(command);
    if (output === undefined) return this.#endsWell(command);
    const { printed } = await this.#run(command);
    expect(printed).toMatch(patternOf(output));
  }

  async leave(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    if (!service) return;
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }

  async #endsWell(command: string): Promise<void> {
    const { code, printed } = await this.#run(command);
    expect({ code, printed: code === 0 ? '' : printed }).toEqual({ code: 0, printed: '' });
    if (command.startsWith('curl ')) expect(printed).not.toContain('"error"');
  }

  async #run(command: string): Promise<{ code: number; printed: string }> {
    const child = this.#bash(command);
    let printed = '';
    child.stdout!.on('data', data => {
      printed += data;
    });
    const [code] = await once(child, 'close');
    return { code, printed };
  }

  async #serve(command: string): Promise<void> {
    const ours = command
      .replace(/ --port \d+/, '')
      .replace('neardup serve', `exec "${process.execPath}" "${main}" serve --port 0`)
      .replace('0.0.0.0', '127.0.0.1')
      .replace('redis://localhost:6379', `'${this.#redis()}'`);
    const service = this.#bash(ours);
    this.#service = service;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      service.stdout!.on('data', data => {
        log += data;
        if (log.includes('the index is open')) resolve();
      });
      service.once('exit', () => reject(new Error(log)));
    });
    this.#url = /"url":"http:\/\/([^"]+)"/.exec(log)![1]!;
  }

  /** Standard output and standard error come together, as on a terminal. */
  #bash(command: string): ChildProcess {
    const functions = `node() { "${process.execPath}" "$@"; }\nneardup() { node "${main}" "$@"; }\n${otherPrograms}`;
    const cwd = this.#folder;
    const env = { ...process.env, HOME: cwd, TMPDIR: cwd, NEARDUP_SEED: 'a secret of the tests' };
    return spawn('bash', ['-c', `exec 2>&1\n${functions}${command}`], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }
}

/** A line `…` stands for any lines, `[…]` for any list; every other … is meant. */
function patternOf(output: string): RegExp {
  const pattern = output
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/^…\n/gm, '[\\s\\S]*')
    .replace('\\[…\\]', '\\[[^\\]]*\\]');
  return new RegExp(`^${pattern}$`);
}
