import { shownText } from '../core/shown-text.ts'
import { BROKEN_WORDS, INSTRUCTIONS } from './instruction-patterns.ts'
import { INSTRUCTIONS_OF_OTHER_LANGUAGES, MODEL_MARKUP, oneGap } from './instructions-elsewhere.ts'
import { findLeetLetters, isPlainAscii, plainLetters, smallLetters } from './plain-letters.ts'

// Names, descriptions and labels that anybody may have written: cleaned before they are shown, and withheld where they
// speak to the model that reads them instead of to people.

const TAGS = /<!--[\s\S]*?(?:-->|$)|<\/?[a-z!?][^<>]*(?:>|$)/gi
/** A picture in Markdown is fetched by whoever renders it, and tells its address what was read. */
const PICTURES = /!\[[^[\]]*\](?:\((?:[^()]|\([^()]*\))*\)?)?/g
const LINKS = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)?/g
/** More marks on one letter than any language puts there cover the lines above and below. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu
/** What is behind is neither read nor shown. */
const MAX_READ_CHARS = 8_000

/** A text that others wrote, fit to be shown to people and models: one plain line without markup. */
export function cleanText(text: string, limit: number): string {
  const read = text.slice(0, Math.min(MAX_READ_CHARS, limit * 4))
  const plain = read.replace(TAGS, ' ').replace(PICTURES, ' ').replace(LINKS, '$1')
  return shownText(plain.replace(/[<>]/g, ' ').replace(PILED_MARKS, '$1'), limit)
}

/** Characters that write Latin text invisibly. Flags of England, Scotland and Wales use them, too. */
const FLAGS = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu
const INVISIBLE_LETTERS = /[\u{e0000}-\u{e007f}]/u
/** Words that are put into the reader's mouth. */
const DICTATED = /\b(?:answer|reply|respond|say)\s?:\s?["“„«‘'`]/i
const HIDDEN_BYTES = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/u
const ENCODED = /[A-Za-z0-9+/]{24,}={0,2}/g
const MAX_ENCODED = 5
const ESCAPED = /%[2-7][0-9a-f]/gi
const PRINTABLE = /^[\t\n\r\x20-\x7e]+$/

/**
 * Whether a text gives instructions to the model that reads it, or hides something from people. Texts that are shown
 * together are asked about together: an instruction may be spread over them.
 */
export function looksLikeInstructions(text: string): boolean {
  const read = oneGap(text.slice(0, MAX_READ_CHARS))
  return hidesText(read) || instructs(read) || findEncoded(read).some(instructs)
}

function hidesText(text: string): boolean {
  return INVISIBLE_LETTERS.test(text.replace(FLAGS, '')) || HIDDEN_BYTES.test(text)
}

function instructs(text: string): boolean {
  if (MODEL_MARKUP.test(text) || DICTATED.test(text)) return true
  const plain = plainLetters(text)
  if (INSTRUCTIONS.test(plain) || INSTRUCTIONS_OF_OTHER_LANGUAGES.test(plain)) return true
  if (BROKEN_WORDS.test(plain.replaceAll(' ', ''))) return true
  if (!isPlainAscii(text) && INSTRUCTIONS_OF_OTHER_LANGUAGES.test(smallLetters(text))) return true
  const leet = findLeetLetters(text)
  return leet !== undefined && INSTRUCTIONS.test(leet)
}

/** What stands in the text as base64, as far as it is text itself; and the text with `%41` read as letters. */
function findEncoded(text: string): string[] {
  const unescaped = text.replace(ESCAPED, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)))
  const decoded = (text.match(ENCODED) ?? []).slice(0, MAX_ENCODED).flatMap((encoded) => {
    const read = Buffer.from(encoded, 'base64').toString('latin1')
    return PRINTABLE.test(read) ? [read] : []
  })
  return unescaped === text ? decoded : [...decoded, unescaped]
}
