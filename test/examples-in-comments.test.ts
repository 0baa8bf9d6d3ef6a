/** Every exported function shows how it is called: its `@example` is there, is run, and gives what its comment says. */
import { inspect } from 'node:util';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as library from '../src/index.ts';

const entry = new URL('../src/index.ts', import.meta.url).pathname;

/** Exported functions with the code of their example. */
function exampled(): { name: string; code: string }[] {
  const program = ts.createProgram([entry], { allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const surface = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
  return checker.getExportsOfModule(surface).flatMap(symbol => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declarations = target.declarations?.filter(ts.isFunctionDeclaration) ?? [];
    if (declarations.length === 0) return [];
    const tags = declarations.flatMap(one => ts.getJSDocTags(one)).filter(({ tagName }) => tagName.text === 'example');
    const comment = tags.map(tag => ts.getTextOfJSDocComment(tag.comment)).join('\n');
    return [{ name: symbol.name, code: /```ts\n([\s\S]*?)\n```/.exec(comment)?.[1] ?? '' }];
  });
}

const functions = exampled();
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

test.each(functions)('$name has an example', ({ name, code }) => {
  expect(code).toMatch(new RegExp(`\\b${name}\\(`));
});

describe('an example gives what its comment says', () => {
  test.each(functions.filter(({ code }) => code.includes('// →')))('of $name', async ({ code }) => {
    const seen: [expected: string, value: string][] = [];
    const tell = (expected: string, value: unknown) =>
      seen.push([expected, inspect(value, { breakLength: Number.POSITIVE_INFINITY })]);
    const body = code.replace(
      /^(.*?);? \/\/ → (.*)$/gm,
      (_, expression: string, expected: string) => `tell(${JSON.stringify(expected)}, await (${expression}));`,
    );
    await new AsyncFunction('tell', ...Object.keys(library), body)(tell, ...Object.values(library));
    expect(seen).not.toEqual([]);
    for (const [expected, value] of seen) expect(value).toBe(expected);
  });
});
