/**
 * HTML → the text a reader sees, on one line or in paragraphs.
 *
 * Tags are read one by one, without a tree: htmlparser2's Parser shifts its whole stack at every tag, which takes 12 s
 * for 100,000 nested elements; its Tokenizer keeps no stack and takes milliseconds.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** What stands in these is not text to read. */
const hiddenElements: ReadonlySet<string> = new Set(
  'script style template noscript noembed noframes iframe'.split(' '),
);

/** The elements that stand within a word; every other one, known or not, ends the word before it. */
const inlineElements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr q ruby s samp small ' +
    'span strike strong sub sup time tt u var wbr'
  ).split(' '),
);

/** Elements that begin a paragraph of their own, and those that begin a line; all others only end a word. */
const paragraphElements: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center details dialog div dl fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr legend main menu nav ol p pre search section summary table title ul'
  ).split(' '),
);
const lineElements: ReadonlySet<string> = new Set('br caption dd dt li option tr'.split(' '));

/** Both are white space to every reader of the text. */
const [LINE, PARAGRAPH] = ['\u2028', '\u2029'];

/** Their end tag ends a hidden element that was never closed, so that one mistake does not hide the rest of the page. */
const outerElements: ReadonlySet<string> = new Set(['head', 'body', 'html']);

/**
 * HTML → the text a reader sees, without scripts and styles: on one line, or with its `paragraphs`, a blank line between two.
 * The words are the same.
 *
 * @example
 * ```ts
 * htmlToText('<p>Fish &amp; chips</p><script>no()</script>'); // → 'Fish & chips'
 * ```
 */
export function htmlToText(html: string, { paragraphs = false }: HtmlToTextOptions = {}): string {
  const reader = new TextReader(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  return paragraphs ? withParagraphs(reader.text) : collapse(reader.text);
}

export interface HtmlToTextOptions {
  /** Keep where paragraphs and lines begin. */
  readonly paragraphs?: boolean | undefined;
}

class TextReader implements TokenizerCallbacks {
  readonly #html: string;
  text = '';
  /** The hidden element we are in, and how many of that name are open. */
  #hidden = '';
  #hiddenDepth = 0;

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    if (this.#hiddenDepth === 0) this.text += this.#html.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    if (this.#hiddenDepth === 0) this.text += String.fromCodePoint(codePoint);
  }

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#hiddenDepth > 0) {
      if (name === this.#hidden) this.#hiddenDepth++;
    } else if (hiddenElements.has(name)) {
      this.#hidden = name;
      this.#hiddenDepth = 1;
    }
    this.#endWord(name);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#hiddenDepth > 0) {
      if (name === this.#hidden) this.#hiddenDepth--;
      else if (outerElements.has(name)) this.#hiddenDepth = 0;
    }
    this.#endWord(name);
  }

  #endWord(element: string): void {
    if (inlineElements.has(element)) return;
    this.text += paragraphElements.has(element) ? PARAGRAPH : lineElements.has(element) ? LINE : ' ';
  }

  // Attributes, comments and declarations are no text.
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}
  onselfclosingtag(): void {}
}

function withParagraphs(text: string): string {
  return text
    .replace(/\u00ad/g, '')
    .replace(/\s+/g, run => (run.includes(PARAGRAPH) ? '\n\n' : run.includes(LINE) ? '\n' : ' '))
    .trim();
}

/** A soft hyphen says where a word may be broken: it is formatting, and no part of the word. */
function collapse(text: string): string {
  return text
    .replace(/\u00ad/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
