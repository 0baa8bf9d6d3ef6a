/** Columns whose values DuckDB would change → a file with their pages, in which a type says no more than how they are stored. */
import { kindOf } from './column-kinds.ts';
import {
  copyPages,
  ELEMENT,
  type Footer,
  leavesOf,
  nameOf,
  numberAt,
  REPEATED,
  type SchemaNode,
  withColumns,
} from './footer.ts';

/** `change` gives a column as it is to be read, and nothing for one that is not needed. False if none is. */
export async function writeStored(
  file: string,
  footer: Footer,
  path: string,
  change: (column: SchemaNode, at: number) => SchemaNode | undefined,
): Promise<boolean> {
  const leaves = new Set<number>();
  let leaf = 0;
  const columns = footer.columns.map((column, at) => {
    const next = leaf + leavesOf(column).length;
    const changed = change(column, at);
    for (; leaf < next; leaf++) if (changed) leaves.add(leaf);
    return changed ?? column;
  });
  if (leaves.size > 0) await copyPages(file, path, footer, leaves, withColumns(footer, columns));
  return leaves.size > 0;
}

export function withLeaves(node: SchemaNode, change: (leaf: SchemaNode) => SchemaNode): SchemaNode {
  if (node.children.length === 0) return change(node);
  return { ...node, children: node.children.map(child => withLeaves(child, change)) };
}

/**
 * Whether it has fields that DuckDB would rename (of `a` and `A` in one struct, the second), or a field that its
 * package would lose: `__proto__`, which JavaScript does not take for a field.
 */
export function hasUnsafeNames(node: SchemaNode): boolean {
  const names = isStruct(node) ? node.children.map(child => nameOf(child).toLowerCase()) : [];
  const isUnsafe = (name: string) => name === '__proto__' || name.includes(NUMBER_MARK);
  return new Set(names).size < names.length || names.some(isUnsafe) || node.children.some(hasUnsafeNames);
}

/** Every field gets a number at the end of its name, which `ownName` takes off. */
export function withSafeNames(node: SchemaNode): SchemaNode {
  const children = node.children.map((child, at) => {
    const safe = withSafeNames(child);
    const name = { type: 'binary', value: Buffer.from(`${nameOf(child)}${NUMBER_MARK}${at}`) } as const;
    return isStruct(node) ? { ...safe, element: new Map(safe.element).set(ELEMENT.name, name) } : safe;
  });
  return { ...node, children };
}

export function ownName(name: string): string {
  const end = name.lastIndexOf(NUMBER_MARK);
  return end === -1 ? name : name.slice(0, end);
}

/** "Unit separator", which hardly any name has. */
const NUMBER_MARK = '\u001f';

/** A group that is no list and no map, nor the repeated part of one. */
function isStruct({ element, children }: SchemaNode): boolean {
  return children.length > 0 && kindOf(element) === 'group' && numberAt(element, ELEMENT.repetition) !== REPEATED;
}
