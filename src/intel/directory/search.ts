import { spellingsOf } from './find-words.ts'
import { ALL_CATEGORIES, type Category, LISTS, type Listing, type ListName } from './listing.ts'
import { foldHosts, takeBest } from './ranking.ts'
import { relevanceOf, type Term, weighWords } from './relevance.ts'
import { FIELDS, type Field, popularityOf, scoreOf } from './score.ts'
import { fieldWords, type SearchIndex } from './search-index.ts'
import { wordsIn } from './words.ts'

export type DirectoryQuery = {
  /** Empty: the most used. */
  text: string
  category: Category | undefined
  /** Lists that may be shown at the moment. */
  lists: ReadonlySet<ListName>
  limit: number
}

export type Hit = {
  listing: Listing
  /** 0 to 1; comparable within one reply only. */
  score: number
  relevance: number
  quality: number
  freshness: number
  /** Words of the query, the form in which they stand there, and where. */
  matched: readonly { word: string; as: string; in: readonly Field[] }[]
  /** Listings of its host that match, and all of them. */
  matchingOfHost: number
  listedOfHost: number
  lists: readonly ListName[]
}

export type Found = {
  hits: readonly Hit[]
  /** Hosts that match, before the limit. */
  matching: number
  /** Listings that match. */
  matchingListings: number
  /** Words of the query that stand nowhere. */
  unknownWords: readonly string[]
}

const MAX_QUERY_WORDS = 12
/** Scores are compared as they are shown: what looks equal is equal. */
const SCORE_STEPS = 1e6

/** Empty asks for the most used. Signs, control characters and words such as `the` alone ask for nothing. */
export const isSearchable = (text: string): boolean => text.trim() === '' || wordsIn(text, 1).length > 0

/** The same index and query give the same hits in the same order. */
export function searchIndex(index: SearchIndex, query: DirectoryQuery): Found {
  const words = wordsIn(query.text, MAX_QUERY_WORDS)
  const known = words.map((word) => ({ word, spellings: spellingsOf(word, index) }))
  const terms = weighWords(
    known.filter(({ spellings }) => spellings.length > 0),
    index,
  )
  const unknownWords = known.filter(({ spellings }) => spellings.length === 0).map(({ word }) => word)
  const relevance = query.text.trim() === '' ? undefined : relevanceOf(index, terms, query.text)
  const scores = scoreAll(index, query, relevance)
  const { best, counts } = foldHosts(index, scores)
  const shown = takeBest(index, scores, best, query.limit)
  let [matching, matchingListings] = [0, 0]
  for (const count of counts) {
    if (count > 0) matching++
    matchingListings += count
  }
  const hits = shown.map((at) => toHit({ index, terms, at, score: scores[at] ?? 0, relevance, counts }))
  return { hits, matching, matchingListings, unknownWords }
}

/** -1 for what does not match or may not be shown. */
function scoreAll(
  index: SearchIndex,
  query: DirectoryQuery,
  relevance: Float64Array | undefined,
): Float64Array {
  const category = query.category === undefined ? -1 : ALL_CATEGORIES.indexOf(query.category)
  const isListShown = LISTS.map((list) => query.lists.has(list))
  const scores = new Float64Array(index.listings.length).fill(-1)
  for (let at = 0; at < scores.length; at++) {
    if (category >= 0 && index.categories[at] !== category) continue
    if (!isListShown[index.lists[at] ?? 0]) continue
    const quality = index.quality[at] ?? 0
    const freshness = index.freshness[at] ?? 0
    if (!relevance) scores[at] = toStep(popularityOf(quality, freshness))
    else if ((relevance[at] ?? 0) > 0) scores[at] = toStep(scoreOf(relevance[at] ?? 0, quality, freshness))
  }
  return scores
}

type HitInput = {
  index: SearchIndex
  terms: readonly Term[]
  at: number
  score: number
  relevance: Float64Array | undefined
  counts: Uint32Array
}

function toHit({ index, terms, at, score, relevance, counts }: HitInput): Hit {
  const listing = index.listings[at] as Listing
  const group = index.groups[at] ?? 0
  return {
    listing,
    score,
    relevance: toStep(relevance?.[at] ?? 0),
    quality: toStep(index.quality[at] ?? 0),
    freshness: toStep(index.freshness[at] ?? 0),
    matched: terms.length === 0 ? [] : findMatches(listing, terms),
    matchingOfHost: counts[group] ?? 0,
    listedOfHost: index.groupSizes[group] ?? 0,
    lists: LISTS.filter((_, bit) => (index.groupLists[group] ?? 0) & (1 << bit)),
  }
}

function findMatches(listing: Listing, terms: readonly Term[]): Hit['matched'] {
  const words = FIELDS.map((field) => ({ field, words: new Set(fieldWords(listing, field)) }))
  return terms.flatMap(({ word, spellings }) => {
    const there = spellings.find((each) => words.some((field) => field.words.has(each.word)))
    if (!there) return []
    const where = words.filter((field) => field.words.has(there.word)).map(({ field }) => field)
    return [{ word, as: there.word, in: where }]
  })
}

const toStep = (value: number): number => Math.round(value * SCORE_STEPS) / SCORE_STEPS
