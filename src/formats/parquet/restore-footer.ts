/** The footer DuckDB has written, and those of the files its rows are from → one with their types, names and metadata. */
import { ARROW_SCHEMA, columnsOnlyArrowKnows } from './arrow-schema.ts';
import { isChangedByDuckDb, kindOf, kindsOf } from './column-kinds.ts';
import {
  ELEMENT,
  type Footer,
  KEY,
  leavesOf,
  metadataOf,
  nameOf,
  numberAt,
  REPEATED,
  readFooter,
  type SchemaNode,
  textAt,
  VALUE,
  withColumns,
  withMetadata,
  withPaths,
  writeFooter,
} from './footer.ts';
import type { Struct, Value } from './thrift.ts';

/** A column of the written file, and what it was in each file that has it. */
export interface Origin {
  readonly columns: readonly SchemaNode[];
  /** Its values are those that were stored, whatever they mean. */
  readonly isStored: boolean;
}

const REQUIRED = 0;

/** Returns what could not be kept, a line each. `originOf` takes the name of a written column; the metadata are those of `first`. */
export async function restoreFooter(
  path: string,
  first: Footer,
  originOf: (name: string) => Origin | undefined,
): Promise<string[]> {
  const written = await readFooter(path);
  const lost: string[] = [];
  const columns = written.columns.map(column => {
    const origin = originOf(nameOf(column));
    if (!origin) return column;
    const restored = restoredColumn(column, origin);
    lost.push(...differences(origin.columns[0]!, restored));
    return restored;
  });
  const metadata = restoredMetadata(first, columns, lost);
  const file = withPaths(withColumns(written, columns), columns, ofOtherOrder(written.columns, columns));
  await writeFooter(path, withMetadata(file, metadata), written.start);
  return lost;
}

/** As DuckDB wrote it, if the files do not agree on it. */
function restoredColumn(written: SchemaNode, { columns, isStored }: Origin): SchemaNode {
  const [first, ...others] = columns;
  const kinds = kindsOf(first!);
  if (others.some(other => kindsOf(other) !== kinds)) return written;
  return restored(written, first!, isStored) ?? written;
}

/** Undefined if the column is laid out in another way, as lists of old are. */
function restored(written: SchemaNode, original: SchemaNode, isStored: boolean): SchemaNode | undefined {
  const isRepeated = ({ element }: SchemaNode) => numberAt(element, ELEMENT.repetition) === REPEATED;
  if (written.children.length !== original.children.length || isRepeated(written) !== isRepeated(original)) {
    return undefined;
  }
  const children: SchemaNode[] = [];
  for (const [at, child] of written.children.entries()) {
    const node = restored(child, original.children[at]!, isStored);
    if (!node) return undefined;
    children.push(node);
  }
  const isKept = children.length > 0 || isLeafKept(written, original, isStored);
  const [keeps, takes] = isKept
    ? [original.element, [ELEMENT.type, ELEMENT.length, ELEMENT.repetition]]
    : [written.element, [ELEMENT.name, ELEMENT.fieldId]];
  return { element: withFields(keeps, takes, isKept ? written.element : original.element), children };
}

/** Whether the type of the original says what the written values are. A decimal may be stored in several ways. */
function isLeafKept(written: SchemaNode, original: SchemaNode, isStored: boolean): boolean {
  if (isChangedByDuckDb(original) && !isStored) return false;
  const isSame = [ELEMENT.type, ELEMENT.length].every(
    field => numberAt(written.element, field) === numberAt(original.element, field),
  );
  const [kind, from] = [kindOf(written.element), kindOf(original.element)];
  return isSame || (from.startsWith('decimal') && (kind === from || (isStored && kind === 'binary')));
}

function withFields(element: Struct, fields: readonly number[], from: Struct): Struct {
  const result = new Map(element);
  for (const field of fields) {
    const value = from.get(field);
    if (value) result.set(field, value);
    else result.delete(field);
  }
  return result;
}

function differences(original: SchemaNode, restored: SchemaNode): string[] {
  const name = JSON.stringify(nameOf(original));
  const [from, to] = [kindsOf(original), kindsOf(restored)];
  if (from !== to) return [`column ${name}: ${from} became ${to}`];
  return isRequired(original, restored) ? [`column ${name}: required became optional`] : [];
}

function isRequired(original: SchemaNode, restored: SchemaNode | undefined): boolean {
  if (!restored) return false;
  const [before, after] = [original, restored].map(({ element }) => numberAt(element, ELEMENT.repetition));
  return (
    (before === REQUIRED && after !== REQUIRED) ||
    original.children.some((child, at) => isRequired(child, restored.children[at]))
  );
}

/** Leaves whose values DuckDB has compared as bytes, and which are numbers: their smallest and largest are not true. */
function ofOtherOrder(written: readonly SchemaNode[], columns: readonly SchemaNode[]): Set<number> {
  const [before, after] = [written, columns].map(nodes => nodes.flatMap(leavesOf));
  const isOther = (leaf: number) =>
    kindOf(before![leaf]!.element) === 'binary' && kindOf(after![leaf]!.element).startsWith('decimal');
  return new Set(Array.from(after!.keys()).filter(isOther));
}

/** Readers that match an Arrow schema with the columns one by one refuse a file that has others. */
function restoredMetadata(first: Footer, columns: readonly SchemaNode[], lost: string[]): Value[] {
  const pairs = metadataOf(first.file);
  const names = columns.map(nameOf);
  if (names.join('\n') === first.columns.map(nameOf).join('\n')) return pairs;
  const isArrow = (pair: Value) => pair.type === 'struct' && textAt(pair.fields, KEY) === ARROW_SCHEMA;
  const arrow = pairs.find(isArrow);
  const known = arrow?.type === 'struct' ? columnsOnlyArrowKnows(textAt(arrow.fields, VALUE)) : [];
  const losing = known.filter(name => names.includes(name)).map(name => JSON.stringify(name));
  if (losing.length > 0) {
    lost.push(
      `lost the Arrow types (time zone, duration, category …) of ${losing.join(', ')}: there are other columns now`,
    );
  }
  return pairs.filter(pair => !isArrow(pair));
}
