import type { Spelling } from './find-words.ts'
import { FIELD_BITS, type SearchIndex } from './search-index.ts'

/** A word of the query with the forms in which it stands in the index, and its share of the query. */
export type Term = { word: string; spellings: readonly Spelling[]; weight: number }

/** A listing needs this share of what the words of the query weigh. */
const MIN_COVERAGE = 0.3
const NOWHERE = new Uint32Array()

/** Rare words weigh more; together they weigh 1. */
export function weighWords(
  terms: readonly Omit<Term, 'weight'>[],
  { listings, postings }: SearchIndex,
): Term[] {
  const rarities = terms.map(({ spellings }) => {
    const count = spellings.reduce((sum, { word }) => sum + (postings.get(word)?.length ?? 0), 0)
    return Math.log1p(listings.length / (1 + Math.min(count, listings.length)))
  })
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0)
  return terms.map((term, at) => ({ ...term, weight: (rarities[at] ?? 0) / total }))
}

/** 0 to 1 for each listing: how much of the words stands in it, and how prominently. */
export function relevanceOf(index: SearchIndex, terms: readonly Term[], text: string): Float64Array {
  const { listings, postings, weights } = index
  const sums = new Float64Array(listings.length)
  const coverage = new Float64Array(listings.length)
  const strength = new Float64Array(listings.length)
  for (const { spellings, weight } of terms) {
    strength.fill(0)
    for (const { word, share } of spellings) {
      const places = postings.get(word) ?? NOWHERE
      for (let n = 0; n < places.length; n++) {
        const place = places[n] ?? 0
        const at = place >>> FIELD_BITS
        // Each field makes up for a part of what the others leave open, so none counts without end.
        let open = 1
        for (let bit = 0; bit < FIELD_BITS; bit++)
          if (place & (1 << bit)) open *= 1 - share * (weights[at * FIELD_BITS + bit] ?? 0)
        if (1 - open > (strength[at] ?? 0)) strength[at] = 1 - open
      }
    }
    for (let at = 0; at < strength.length; at++) {
      const found = strength[at] ?? 0
      if (found === 0) continue
      sums[at] = (sums[at] ?? 0) + weight * found
      coverage[at] = (coverage[at] ?? 0) + weight
    }
  }
  const host = text.trim().toLowerCase()
  return sums.map((sum, at) => {
    const covered = Math.min(1, coverage[at] ?? 0)
    if (covered < MIN_COVERAGE) return 0
    // Unlike a name, a host belongs to one seller.
    return listings[at]?.host === host ? 1 : sum * covered
  })
}
