/** Values and names → SQL text that means exactly them. */

export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, character => `\\${character}`).replaceAll('\n', '\\n')}'`;
}

export function identifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** For a command that Spark gives to bash. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
