/** The imports of src/ and web/ → one line for each that points the wrong way, and exit code 1. `check-imports.mjs [root]` */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const foundation = ['options', 'errors', 'model'];
const steps = ['cluster', 'lsh', 'similarity', 'sketch', 'shingle', 'text', 'formats'];
const below = [...foundation, 'files', 'kernel', ...steps, 'decisions'];
const belowBatch = [...below, 'engine', 'store', 'report'];
const belowTheCli = [...belowBatch, 'batch'];

/** Part of src/ → the other parts it may import. What is not listed may import nothing, and is told so. */
const mayImport = {
  model: [],
  errors: ['model'],
  options: ['errors', 'model'],
  files: foundation,
  kernel: foundation,
  ...Object.fromEntries(steps.map(step => [step, [...foundation, 'files', 'kernel']])),
  // The log of decisions is read and written by runs, the index and the service alike.
  decisions: [...foundation, 'files', 'formats'],
  engine: below,
  // The index decides with the sketcher, keys and options of a run, so that both say the same of two documents.
  store: [...below, 'engine'],
  report: foundation,
  batch: belowBatch,
  index: [...belowTheCli, 'browser'],
  browser: belowBatch,
  cli: [...belowTheCli, 'index'],
  service: [...belowTheCli, 'index'],
  web: [],
};

/** What may be imported besides, but only as a type. */
const mayImportTypes = {
  report: steps,
  web: ['service'],
};

/** Steps that do use a sibling, each with its reason. One that is no longer used is reported. */
const exceptions = [
  { from: 'cli', to: 'service', in: 'src/cli/commands/serve.ts', reason: 'one command starts the service' },
  { from: 'formats', to: 'text', reason: 'a page or a WARC record is a document only once it is decoded and is text' },
];

/** The part whose imports, followed to the end, must not meet a Node module. */
const browserEntry = 'src/browser.ts';

/** All violations, as `file:line: sentence`, sorted by file. */
export function checkImports(root) {
  const files = [...sourceFiles(root, 'src'), ...sourceFiles(root, 'web')];
  const imports = new Map(files.map(file => [file, importsOf(root, file)]));
  return [
    ...directionViolations(imports),
    ...packageViolations(imports, manifestOf(root)),
    ...browserViolations(imports),
  ].sort((a, b) => (a < b ? -1 : 1));
}

function sourceFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter(name => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name))
    .map(name => `${folder}/${name.split(sep).join('/')}`);
}

function manifestOf(root) {
  const path = join(root, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/** Every way to name a module: import, export … from, import(), and import() as a type. */
function importsOf(root, file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, specifier, isType) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const target = specifier.text.startsWith('.')
      ? relative(root, resolve(root, dirname(file), specifier.text))
          .split(sep)
          .join('/')
      : undefined;
    found.push({ specifier: specifier.text, target, line, isType });
  };
  const visit = node => {
    // `import { type A }` is no type import: with verbatimModuleSyntax the module is still loaded.
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, node.importClause?.isTypeOnly === true);
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(node, node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `src/lsh/tune.ts` → `lsh`; `src/options.ts` → `options`; `web/page.tsx` → `web`. */
function partOf(file) {
  const [top, first] = file.split('/');
  return top === 'src' ? first.replace(/\.tsx?$/, '') : top;
}

function directionViolations(imports) {
  const violations = [];
  const used = new Set();
  for (const [file, found] of imports) {
    const from = partOf(file);
    if (!Object.hasOwn(mayImport, from)) {
      violations.push(`${file}:1: ${from} is no part of the design; give it a place in scripts/check-imports.mjs`);
      continue;
    }
    for (const { target, line, isType } of found) {
      if (target === undefined) continue;
      const to = partOf(target);
      if (to === from || mayImport[from].includes(to)) continue;
      if (isType && mayImportTypes[from]?.includes(to)) continue;
      const exception = exceptions.find(one => one.from === from && one.to === to && (one.in ?? file) === file);
      if (exception) used.add(exception);
      else violations.push(`${file}:${line}: ${from} must not import ${to} (${target})${hint(from, to)}`);
    }
  }
  const parts = new Set([...imports.keys()].map(partOf));
  for (const exception of exceptions) {
    const isThere = exception.in === undefined || imports.has(exception.in);
    if (isThere && parts.has(exception.from) && parts.has(exception.to) && !used.has(exception))
      violations.push(
        `scripts/check-imports.mjs:1: the exception ${exception.from} → ${exception.to} is no longer used`,
      );
  }
  return violations;
}

function hint(from, to) {
  if (mayImportTypes[from]?.includes(to)) return '; only `import type` is allowed here';
  if (steps.includes(from) && steps.includes(to)) return '; steps do not import one another';
  return '';
}

/** Each package stands in one folder, and is one that is installed with ours. */
function packageViolations(imports, { dependencies = {}, optionalDependencies = {} }) {
  const installed = { ...dependencies, ...optionalDependencies };
  const violations = [];
  const home = new Map();
  for (const [file, found] of imports) {
    const folder = partOf(file);
    for (const { specifier, target, line } of found) {
      if (target !== undefined || isBuiltin(specifier)) continue;
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      // The pages are bundled: what they use is a development dependency.
      if (folder !== 'web' && !Object.hasOwn(installed, name))
        violations.push(`${file}:${line}: ${name} is not among the dependencies of package.json`);
      const first = home.get(name);
      if (first === undefined) home.set(name, { folder, file });
      else if (first.folder !== folder)
        violations.push(
          `${file}:${line}: ${name} is imported in ${folder} and in ${first.folder} (${first.file}); one folder owns a package`,
        );
    }
  }
  return violations;
}

/** Breadth first, so that the chain named is a shortest one. */
function browserViolations(imports) {
  if (!imports.has(browserEntry)) return [];
  const violations = [];
  const reachedFrom = new Map([[browserEntry, undefined]]);
  for (const file of reachedFrom.keys()) {
    for (const { specifier, target, line, isType } of imports.get(file) ?? []) {
      if (isType) continue;
      if (target === undefined) {
        if (isBuiltin(specifier))
          violations.push(`${file}:${line}: ${specifier} is reached by the browser: ${chain(reachedFrom, file)}`);
      } else if (!reachedFrom.has(target)) reachedFrom.set(target, file);
    }
  }
  return violations;
}

function chain(reachedFrom, file) {
  const before = reachedFrom.get(file);
  return before === undefined ? file : `${chain(reachedFrom, before)} → ${file}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  const violations = checkImports(root);
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
