import { isPlainAscii, smallLetters } from '../plain-letters.ts'

const MARKS = /\p{M}+/gu
/** Scripts without spaces between words: their letters are looked for in pairs. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const MAX_WORD_CHARS = 32
/** Words that say nothing about what is looked for. */
const EMPTY = new Set(
  'a an and are as at by for from in is it of on or that the to with your you this'.split(' '),
)

/** The words of a text, each once, in the form in which they are compared; at most `limit`. */
export function wordsIn(text: string, limit: number): string[] {
  const words = new Set<string>()
  const bare = isPlainAscii(text) ? text : text.normalize('NFD').replace(MARKS, '')
  for (const word of smallLetters(bare).split(' ')) {
    for (const part of partsOf(word)) {
      if (part !== '' && !EMPTY.has(part)) words.add(part)
      if (words.size === limit) return [...words]
    }
  }
  return [...words]
}

function partsOf(word: string): string[] {
  if (!UNSPACED.test(word)) return [singular(word.slice(0, MAX_WORD_CHARS))]
  const letters = Array.from(word.slice(0, MAX_WORD_CHARS))
  return letters.length === 1
    ? letters
    : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** `prices` and `price` are one word. Others that end so, such as `status`, lose the letter everywhere alike. */
const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
