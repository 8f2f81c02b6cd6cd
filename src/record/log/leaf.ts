import type { Coin } from '../../core/coin.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { PriceKind } from '../../feeds/events.ts'
import type { Direction, Regime } from '../../signals/signal.ts'

/** A prediction as it is published: what `commitment` hides until the window has closed. */
export type PublicPrediction = {
  coin: Coin
  window_start: number
  as_of: string
  probability_up: number
  direction: Direction
  confidence: number
  abstain: boolean
  regime: Regime
  model: string
}
export type PublicPrice = { price: number; price_kind: PriceKind; at: string }

export const MISSED_REASONS = [
  'not_running',
  'no_prediction',
  'bad_prediction',
  'store_unavailable',
  'late',
] as const
export type MissedReason = (typeof MISSED_REASONS)[number]
export const UNKNOWN_REASONS = ['no_open_price', 'no_close_price', 'price_kinds_differ'] as const
export type UnknownReason = (typeof UNKNOWN_REASONS)[number]

type Entry = { id: string; coin: Coin; window_start: number }
export type CommitLeaf = Entry & { kind: 'commit'; committed_at: string; commitment: string }
export type MissedLeaf = Entry & { kind: 'missed'; missed_at: string; reason: MissedReason }
export type RevealLeaf = Entry & {
  kind: 'reveal'
  revealed_at: string
  salt: string
  prediction: PublicPrediction
  open: PublicPrice | null
  close: PublicPrice | null
  outcome: Direction | 'unknown'
  /** Whether the direction was right; null where the outcome is unknown. */
  hit: boolean | null
  reason: UnknownReason | null
}
/** A line about one coin and window. */
export type WindowLeaf = CommitLeaf | MissedLeaf | RevealLeaf

/** `lost`: the old key could not sign the change. */
export const KEY_REASONS = ['rotated', 'lost'] as const
export type KeyReason = (typeof KEY_REASONS)[number]
/** From this line on the heads are signed with another key. Both signatures are over all other fields. */
export type KeyLeaf = {
  kind: 'key'
  /** `key-1` for the first change. */
  id: string
  changed_at: string
  reason: KeyReason
  old_key_id: string
  new_key_id: string
  /** The leaves before this one, and their root: the change is of this record and no other. */
  tree_size: number
  root_hash: string
  /** Null where the old key was lost. */
  old_signature: string | null
  new_signature: string
}
/** One line of the record. Its canonical JSON is what is hashed. */
export type Leaf = WindowLeaf | KeyLeaf

export const entryId = (coin: Coin, windowStartS: number): string => `${coin}-${windowStartS}`

export function entryOf(coin: Coin, windowStartS: number): Entry {
  return { id: entryId(coin, windowStartS), coin, window_start: windowStartS }
}

export function leafTimeMs(leaf: Leaf): number {
  if (leaf.kind === 'key') return Date.parse(leaf.changed_at)
  if (leaf.kind === 'commit') return Date.parse(leaf.committed_at)
  return Date.parse(leaf.kind === 'missed' ? leaf.missed_at : leaf.revealed_at)
}

export const openMs = ({ window_start }: Entry): number => window_start * 1000
export const closeMs = ({ window_start }: Entry): number => (window_start + WINDOW_S) * 1000
