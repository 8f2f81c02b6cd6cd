import { DAY_MS } from '../../core/time/time.ts'
import type { Listing } from './listing.ts'

// docs/methodology/discover.md says what these numbers rest on.

/** How much a word counts where it stands. */
export const FIELDS = ['name', 'tags', 'host', 'description'] as const
export type Field = (typeof FIELDS)[number]
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  name: 0.6,
  tags: 0.5,
  host: 0.5,
  description: 0.4,
}
/** Up to so many different words a field counts in full; each word of a longer one counts less. */
export const FULL_WORDS: Readonly<Record<Field, number>> = { name: 4, tags: 8, host: 8, description: 20 }
/** Of a word that only begins like the one that is looked for, and of one that differs by a letter. */
export const BEGINS_LIKE = 0.6
export const MISSPELT = 0.5

/** A result keeps at least this share of its relevance; use and freshness decide about the rest. */
const RELEVANCE_SHARE = 0.8
const QUALITY_SHARE = 0.15
const FRESHNESS_SHARE = 0.05

const PAYERS_FULL = 1_000
const CALLS_FULL = 100_000
const PAYERS_PART = 0.6
/** One wallet that calls itself all day counts as one good customer. */
const MAX_CALLS_PER_PAYER = 100
const HALF_LIFE_MS = 30 * DAY_MS
const UNKNOWN_FRESHNESS = 0.5

/** How much of a word's weight a field with so many different words gives: a longer list gains nothing. */
export const dilutionOf = (field: Field, words: number): number =>
  Math.min(1, FULL_WORDS[field] / Math.max(1, words))

/** Name and tags say what a service is; up to so many different words they may be about one thing. */
const FULL_SUBJECTS = 12

/** How much all words of an entry count, by the different words of its name and tags. */
export const breadthOf = (words: number): number => Math.min(1, FULL_SUBJECTS / Math.max(1, words)) ** 2

/** One field that repeats itself costs the whole entry up to this share: who stuffs one is not believed in the others. */
const MAX_REPETITION = 0.9
/** In plain sentences more than this share of the words are different ones. */
const PLAIN_SHARE = 0.6
const MIN_REPEATING_WORDS = 6

/** 0 for plain text; more the more often the same words are written. */
export function repetitionOf(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length < MIN_REPEATING_WORDS) return 0
  const share = new Set(words).size / words.length
  return MAX_REPETITION * Math.max(0, 1 - share / PLAIN_SHARE)
}

/** 0 to 1 by callers and calls of 30 days; unknown ones add nothing. */
export function qualityOf({ calls30d = 0, payers30d = 0 }: Pick<Listing, 'calls30d' | 'payers30d'>): number {
  const calls = Math.min(calls30d, payers30d * MAX_CALLS_PER_PAYER)
  return PAYERS_PART * logShare(payers30d, PAYERS_FULL) + (1 - PAYERS_PART) * logShare(calls, CALLS_FULL)
}

/** So much of its weight a word in an address has that nobody pays for: enough to be found, not to be first. */
const UNPAID_HOST_SHARE = 0.1

/** How much the words of an address count. They cost nothing where anybody may enter them; x402.org is reviewed. */
export const hostShareOf = (listing: Pick<Listing, 'list' | 'calls30d' | 'payers30d'>): number =>
  listing.list === 'ecosystem' ? 1 : UNPAID_HOST_SHARE + (1 - UNPAID_HOST_SHARE) * qualityOf(listing)

/** 1 when it was just called or listed, half of that every 30 days. */
export function freshnessOf(
  { lastCalledMs, updatedMs }: Pick<Listing, 'lastCalledMs' | 'updatedMs'>,
  asOfMs: number,
): number {
  const lastMs = lastCalledMs ?? updatedMs
  return lastMs === undefined ? UNKNOWN_FRESHNESS : 0.5 ** (Math.max(0, asOfMs - lastMs) / HALF_LIFE_MS)
}

/** Never above the relevance and never below 80 percent of it. */
export const scoreOf = (relevance: number, quality: number, freshness: number): number =>
  relevance * (RELEVANCE_SHARE + QUALITY_SHARE * quality + FRESHNESS_SHARE * freshness)

/** Where nothing is looked for: the most used first, and of equals the one that was used last. */
export const popularityOf = (quality: number, freshness: number): number =>
  (1 - FRESHNESS_SHARE) * quality + FRESHNESS_SHARE * freshness

const logShare = (value: number, full: number): number => Math.min(1, Math.log1p(value) / Math.log1p(full))
