/** Numbers and other values that a double or a string would change, through every command and format. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { neardup, words } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const put = (name: string, content: string) => {
  writeFileSync(at(name), content);
  return at(name);
};
const got = (name: string) => readFileSync(at(name), 'utf8');
beforeEach(() => {
  folder = temporaryFolder();
});

const NUMBERS = ['1790000000000000001', '1.0', '1e400', '-0.0', '1.10'];
const [A, B] = ['1790000000000000001', '1790000000000000002'];
const one = `{"id":${A},"text":"${words(0, 40)}", "n":[${NUMBERS}],"m":1.0}`;
const two = `{"id":${B},"text":"${words(100, 140)}","n":{ "deep": ${NUMBERS[2]} },"m":1e400}`;
const [oneRow, twoRow] = [
  `${A},${words(0, 40)},"[${NUMBERS}]",1.0`,
  `${B},${words(100, 140)},"{""deep"":1e400}",1e400`,
];

describe('dedup', () => {
  it.each([
    ['kept.jsonl', `${one}\n${two}\n`],
    ['kept.json', `[\n${one},\n${two}\n]\n`],
    ['kept.csv', `id,text,n,m\n${oneRow}\n${twoRow}\n`],
  ])('writes %s with every number as it came', async (name, content) => {
    const input = put('in.jsonl', `${one}\n${one.replace(A!, '3')}\n${two}\n`);
    expect((await neardup(['dedup', input, '-o', at(name)])).code).toBe(0);
    expect(got(name)).toBe(content);
  });

  it('keeps numbers through Parquet, as JSON where no type holds them', async () => {
    await neardup(['dedup', put('in.jsonl', `${one}\n${two}\n`), '-o', at('kept.parquet')]);
    await neardup(['dedup', at('kept.parquet'), '-o', at('back.jsonl')]);
    expect(got('back.jsonl')).toBe(`${one}\n${two}\n`.replace('", "n"', '","n"'));
  });

  it('names the columns of Parquet whose numbers are read back in another form', async () => {
    const input = put('in.jsonl', `{"id":"a","text":"${words(0, 40)}","price":1.10,"score":1.0}\n`);
    const { code, stderr } = await neardup(['dedup', input, '-o', at('kept.parquet'), '--quiet']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^\S*warning: .*kept.parquet: column "price": .*\n$/)]);
  });

  it('marks a document that has such a field already', async () => {
    const marked = one.replace('"m"', '"neardup" : 7, "m"');
    await neardup(['dedup', put('in.jsonl', `${marked}\n`), '--mark', '-o', at('out.jsonl')]);
    expect(got('out.jsonl')).toBe(`${marked.replace(': 7', `: {"cluster":"${A}","size":1,"keep":true}`)}\n`);
  });

  it.each(['1.0', '1e5', '-0', B!])('knows a document by the number %s as it is written, nested or not', async id => {
    const line = (id: string, from: number) => `{"id":${id},"meta":{"id":${id}},"text":"${words(from, from + 40)}"}\n`;
    const input = put('in.jsonl', line(id, 0) + line('100000', 0));
    await neardup(['dedup', input, '-o', at('out.jsonl'), '--removed', at('gone.jsonl')]);
    expect(JSON.parse(got('gone.jsonl'))).toMatchObject({ id: '100000', keptId: id });
  });
});

describe('CSV', () => {
  it('becomes Parquet with types, and text again as it was', async () => {
    const csv = `id,text,n,zip,day\n1,${words(0, 40)},-5,007,2024-02-29\n2,${words(100, 140)},,123,\n`;
    await neardup(['dedup', put('in.csv', csv), '-o', at('kept.parquet')]);
    await neardup(['dedup', at('kept.parquet'), '-o', at('back.jsonl')]);
    expect(got('back.jsonl')).toBe(
      `{"id":"1","text":"${words(0, 40)}","n":-5,"zip":"007","day":"2024-02-29"}\n` +
        `{"id":"2","text":"${words(100, 140)}","n":null,"zip":"123","day":null}\n`,
    );
    await neardup(['dedup', at('kept.parquet'), '-o', at('back.csv')]);
    expect(got('back.csv')).toBe(csv);
  });

  const rows = `=1+1,${words(0, 40)},-5,=cmd|' /C calc'!A0\r\n@b,${words(100, 140)},"+1.5e3","a ""b"""\n`;
  const safeRows = `'=1+1,${words(0, 40)},-5,'=cmd|' /C calc'!A0\r\n'@b,${words(100, 140)},+1.5e3,"a ""b"""\n`;

  it('is written as it came, formulas too, and with --csv-safe without them', async () => {
    const input = put('in.csv', `id,text,n,-x\r\n${rows}`);
    await neardup(['dedup', input, '-o', at('kept.csv')]);
    expect(got('kept.csv')).toBe(`id,text,n,-x\r\n${rows}`);
    await neardup(['dedup', input, '-o', at('safe.csv'), '--csv-safe']);
    expect(got('safe.csv')).toBe(`id,text,n,'-x\r\n${safeRows}`);
  });

  it('has no formula in any list with --csv-safe', async () => {
    const line = (id: string, n: string) => `{"id":"${id}","text":"${words(0, 40)}","n":${n}}\n`;
    const input = put('in.jsonl', `${line('=a', '"-1+2"')}${line('=b', '-1')}`);
    const lists = ['--removed', at('gone.tsv'), '--clusters', at('clusters.csv')];
    await neardup(['dedup', input, '-o', at('kept.tsv'), '--csv-safe', ...lists]);
    expect(got('kept.tsv')).toBe(`id\ttext\tn\n'=a\t${words(0, 40)}\t'-1+2\n`);
    expect(got('gone.tsv')).toContain("\n'=b\t'=a\texact\t");
    expect(got('clusters.csv')).toContain("\n'=a,2,'=a,");
    await neardup(['pairs', input, '-o', at('pairs.csv'), '--csv-safe']);
    expect(got('pairs.csv')).toContain("\n'=a,'=b,1");
    await neardup(['clusters', input, '-o', at('c.csv'), '--csv-safe']);
    expect(got('c.csv')).toContain("\n'=a,2,");
    await neardup(['search', input, '--in', input, '-o', at('found.csv'), '--csv-safe']);
    expect(got('found.csv')).toContain("\n'=a,'=");
    await neardup(['index', 'add', at('seen'), input, '-o', at('added.csv'), '--csv-safe']);
    expect(got('added.csv')).toContain("\n'=b,exact,'=a");
    await neardup(['collapse', input, '-o', at('collapsed.csv'), '--csv-safe']);
    expect(got('collapsed.csv')).toContain("\n'=a,");
  });
});

describe('Parquet', () => {
  const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
  const elsewhere = { TZ: 'America/New_York' };

  it('becomes JSON lines with every value as it is stored, in any time zone, and leaves no file behind', async () => {
    const env = { ...elsewhere, TMPDIR: folder };
    const { code, stdout, stderr } = await neardup(['dedup', fixture('values.parquet'), '-o', '-', '--quiet'], '', env);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(readFileSync(fixture('values.jsonl'), 'utf8'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps them in an index', async () => {
    await neardup(['index', 'add', at('seen'), fixture('values.parquet')], '', elsewhere);
    const { stdout } = await neardup(['index', 'get', at('seen'), 'a', 'b', 'c']);
    expect(stdout).toBe(readFileSync(fixture('values.jsonl'), 'utf8'));
  });
});

describe('an index', () => {
  it('gives documents back with every number as it came', async () => {
    await neardup(['index', 'add', at('seen'), '-'], `${one}\n${two}\n`);
    const compact = (json: string) => json.replace('", "n"', '","n"');
    expect((await neardup(['index', 'get', at('seen'), A!, B!])).stdout).toBe(`${compact(one)}\n${two}\n`);
  });

  it('gives them back after what they duplicated is gone', async () => {
    const copy = one.replace(A!, '7.0');
    await neardup(['index', 'add', at('seen'), '-', '--store', 'all'], `${one}\n${copy}\n`);
    await neardup(['index', 'remove', at('seen'), A!]);
    expect((await neardup(['index', 'get', at('seen'), '7.0'])).stdout).toBe(`${copy.replace('", "n"', '","n"')}\n`);
  });

  it('stores elements of an array and rows of Parquet with their numbers', async () => {
    await neardup(['index', 'add', at('seen'), put('in.json', `[${one},\n${two}]`)]);
    expect((await neardup(['index', 'get', at('seen'), B!])).stdout).toBe(`${two}\n`);
    const rows = `{"id":${A},"text":"${words(0, 40)}","n":12345678901234567890123}\n`;
    await neardup(['dedup', put('in.jsonl', rows), '-o', at('in.parquet')]);
    await neardup(['index', 'add', at('rows'), at('in.parquet')]);
    expect((await neardup(['index', 'get', at('rows'), A!])).stdout).toBe(rows);
  });

  it('lets filter pass documents on as they came', async () => {
    expect((await neardup(['filter', '--index', at('seen')], `${one}\n${two}\n${one}\n`)).stdout).toBe(
      `${one}\n${two}\n`,
    );
  });
});
