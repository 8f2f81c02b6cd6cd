import { BEGINS_LIKE, MISSPELT } from './score.ts'
import type { SearchIndex } from './search-index.ts'

/** A word of the index that stands for one of the query, and how much of its weight it counts. */
export type Spelling = { word: string; share: number }

const MIN_PREFIX_CHARS = 3
const MIN_MISSPELT_CHARS = 5
const MAX_SPELLINGS = 30

/** The word itself and those that begin with it; where there are none, those that differ from it by one letter. */
export function spellingsOf(word: string, { postings, vocabulary }: SearchIndex): Spelling[] {
  const spellings: Spelling[] = postings.has(word) ? [{ word, share: 1 }] : []
  if (word.length >= MIN_PREFIX_CHARS) {
    for (let at = firstFrom(vocabulary, word); spellings.length < MAX_SPELLINGS; at++) {
      const longer = vocabulary[at]
      if (!longer?.startsWith(word)) break
      if (longer !== word) spellings.push({ word: longer, share: BEGINS_LIKE })
    }
  }
  if (spellings.length > 0 || word.length < MIN_MISSPELT_CHARS) return spellings
  for (const other of vocabulary) {
    if (spellings.length === MAX_SPELLINGS) break
    if (differsByOne(word, other)) spellings.push({ word: other, share: MISSPELT })
  }
  return spellings
}

/** The place of the first word that is not below `word`. */
function firstFrom(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}

/** By one letter that is missing, added or another, or by two that changed places. */
function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const short = a.length <= b.length ? a : b
  const long = short === a ? b : a
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  )
}
