/** Bytes → text, by the byte-order mark, the charset that was declared, or UTF-8. */

const UTF_8 = new TextDecoder();

/** Browsers look for a declared charset in this many bytes, and so do pages written for them. */
const DECLARATION_BYTES = 1024;

/** Invalid bytes become U+FFFD; a byte-order mark is not part of the text. */
export function decodeText(bytes: Uint8Array): string {
  return (decoderOfMark(bytes) ?? UTF_8).decode(bytes);
}

/** `declared` is the charset of the HTTP header, which wins over the one the page names itself. */
export function decodeHtml(bytes: Uint8Array, declared?: string): string {
  const decoder = decoderOfMark(bytes) ?? decoderOf(declared) ?? decoderOf(charsetInPage(bytes)) ?? UTF_8;
  const text = decoder.decode(bytes);
  return decoder.encoding === 'windows-1252' ? repairWindows1252(text) : text;
}

/** What windows-1252 has at 0x80 … 0x9f; a space where it has nothing. */
const WINDOWS_1252_TOP = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Node 20 decodes windows-1252 as Latin-1, leaving control characters where quotes, dashes and € were meant. */
function repairWindows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, control => {
    const meant = WINDOWS_1252_TOP[control.charCodeAt(0) - 0x80]!;
    return meant === ' ' ? control : meant;
  });
}

function decoderOfMark(bytes: Uint8Array): TextDecoder | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  return undefined;
}

/** Both `<meta charset="x">` and `<meta http-equiv="content-type" content="text/html; charset=x">`. */
function charsetInPage(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const charset = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1];
  // A page whose <meta> could be read as ASCII is not UTF-16, whatever it says.
  return charset && /^utf-?16/i.test(charset) ? undefined : charset;
}

function decoderOf(charset: string | undefined): TextDecoder | undefined {
  if (!charset) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined; // a charset nobody knows: as if none had been named
  }
}
