import { setImmediate as nextTurn } from 'node:timers/promises'
import { ALL_CATEGORIES, LISTS, type Listing } from './listing.ts'
import { wordsOf } from './public-url.ts'
import {
  breadthOf,
  dilutionOf,
  FIELD_WEIGHTS,
  FIELDS,
  type Field,
  freshnessOf,
  hostShareOf,
  qualityOf,
  repetitionOf,
} from './score.ts'
import { siteOf } from './site.ts'
import { wordsIn } from './words.ts'

/** Listings with all that a search needs, made once for each pair of lists and never changed. */
export type SearchIndex = {
  listings: readonly Listing[]
  /** In which listings a word stands: `listing << 4 | fields`, ascending. */
  postings: ReadonlyMap<string, Uint32Array>
  /** All words, sorted. */
  vocabulary: readonly string[]
  /** What a word counts in a listing's field: `weights[listing * 4 + field]`. */
  weights: Float32Array
  quality: Float32Array
  freshness: Float32Array
  /** What a listing is, as numbers: places in `LISTS` and `ALL_CATEGORIES`. */
  lists: Uint8Array
  categories: Uint8Array
  /** Listings of one owner's name are shown as one. */
  groups: Uint32Array
  groupSizes: Uint32Array
  /** In which lists a group stands: one bit for each of `LISTS`. */
  groupLists: Uint8Array
}

export const FIELD_BITS = FIELDS.length
/** Words of a field that are read; what follows is not searched. */
const MAX_WORDS: Readonly<Record<Field, number>> = { name: 16, tags: 32, host: 24, description: 120 }
/** Requests are served between two slices. */
const SLICE = 200

export const NO_INDEX: SearchIndex = {
  listings: [],
  postings: new Map(),
  vocabulary: [],
  weights: new Float32Array(),
  quality: new Float32Array(),
  freshness: new Float32Array(),
  lists: new Uint8Array(),
  categories: new Uint8Array(),
  groups: new Uint32Array(),
  groupSizes: new Uint32Array(),
  groupLists: new Uint8Array(),
}

export async function buildIndex(listings: readonly Listing[], asOfMs: number): Promise<SearchIndex> {
  const found = new Map<string, number[]>()
  const weights = new Float32Array(listings.length * FIELD_BITS)
  const quality = new Float32Array(listings.length)
  const freshness = new Float32Array(listings.length)
  for (const [index, listing] of listings.entries()) {
    const fieldsOf = new Map<string, number>()
    const trust = trustOf(listing)
    for (const [bit, field] of FIELDS.entries()) {
      const words = fieldWords(listing, field)
      const paid = field === 'host' ? hostShareOf(listing) : 1
      weights[index * FIELD_BITS + bit] =
        FIELD_WEIGHTS[field] * dilutionOf(field, words.length) * trust * paid
      for (const word of words) fieldsOf.set(word, (fieldsOf.get(word) ?? 0) | (1 << bit))
    }
    for (const [word, fields] of fieldsOf) {
      const places = found.get(word) ?? []
      places.push((index << FIELD_BITS) | fields)
      found.set(word, places)
    }
    quality[index] = qualityOf(listing)
    freshness[index] = freshnessOf(listing, asOfMs)
    if (index % SLICE === SLICE - 1) await nextTurn()
  }
  const postings = new Map(Array.from(found, ([word, places]) => [word, Uint32Array.from(places)]))
  return {
    ...{ listings, postings, weights, quality, freshness },
    vocabulary: [...postings.keys()].sort(),
    lists: Uint8Array.from(listings, ({ list }) => LISTS.indexOf(list)),
    categories: Uint8Array.from(listings, ({ category }) => ALL_CATEGORIES.indexOf(category)),
    ...groupBySite(listings),
  }
}

export const fieldWords = (listing: Listing, field: Field): string[] =>
  wordsIn(fieldText(listing, field), MAX_WORDS[field])

/** 1 for an entry in plain words about one thing; less where it repeats itself, or names everything there is. */
function trustOf(listing: Listing): number {
  const repetition = Math.max(...FIELDS.map((field) => repetitionOf(fieldText(listing, field))))
  const subjects = new Set([...fieldWords(listing, 'name'), ...fieldWords(listing, 'tags')])
  return (1 - repetition) * breadthOf(subjects.size)
}

function fieldText(listing: Listing, field: Field): string {
  if (field === 'tags') return listing.tags.join(' ')
  return field === 'host' ? wordsOf(new URL(listing.url)) : listing[field]
}

/** A seller may make as many names below his own as he likes. Several partners may share one for code: each is shown. */
function groupBySite(
  listings: readonly Listing[],
): Pick<SearchIndex, 'groups' | 'groupSizes' | 'groupLists'> {
  const partners = new Map<string, number>()
  const sites = listings.map(({ host }) => siteOf(host))
  for (const [index, site] of sites.entries())
    if (listings[index]?.list === 'ecosystem') partners.set(site, (partners.get(site) ?? 0) + 1)
  const ids = new Map<string, number>()
  const groups = Uint32Array.from(listings, ({ list, url }, index) => {
    const site = sites[index] ?? ''
    const key = list === 'ecosystem' && partners.get(site) !== 1 ? url : site
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    return id
  })
  const groupSizes = new Uint32Array(ids.size)
  const groupLists = new Uint8Array(ids.size)
  for (const [index, group] of groups.entries()) {
    const bit = 1 << LISTS.indexOf((listings[index] as Listing).list)
    groupSizes[group] = (groupSizes[group] ?? 0) + 1
    groupLists[group] = (groupLists[group] ?? 0) | bit
  }
  return { groups, groupSizes, groupLists }
}
