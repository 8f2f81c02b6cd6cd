import { z } from 'zod'
import { fillPath } from '../../catalog/path.ts'
import { COINS, type Coin } from '../../core/coin.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { RecordHead } from '../../ledger/ports/record-book.ts'
import type { RevealLeaf } from '../../record/log/leaf.ts'
import { REGIMES } from '../../signals/signal.ts'
import { OwnPath, PriceKind, RecordId, Source, WindowEdge } from '../fields.ts'
import { recordEntry } from '../record/entry.ts'
import { recordProof } from '../record/proof.ts'
import type { PublicRecord } from '../record/services.ts'

export const CLOSED_SOURCE = 'record'

/** What we said of a window before it opened, now that it has closed. */
export const ClosedSignal = z.object({
  coin: z.enum(COINS),
  direction: z.enum(['UP', 'DOWN']).describe('What was predicted before the window opened'),
  confidence: z.number().min(0).max(1).describe('Probability of that direction'),
  probability_up: z.number().min(0).max(1),
  abstain: z.boolean().describe('True where the prediction was indistinguishable from a coin flip'),
  regime: z.enum(REGIMES),
  window_start: WindowEdge,
  window_end: WindowEdge,
  open_price_usd: z.number().positive().nullable(),
  close_price_usd: z.number().positive().nullable(),
  price_kind: PriceKind.nullable().describe('Of both prices; null where the outcome is unknown'),
  outcome: z.enum(['UP', 'DOWN', 'unknown']).describe('A close at the opening price is UP'),
  hit: z.boolean().nullable().describe('Whether the direction was right; null where the outcome is unknown'),
  predicted_at: z.iso.datetime(),
  revealed_at: z.iso.datetime(),
  record_id: RecordId.describe('Its entry in the public record'),
  record_path: OwnPath.describe('Where that entry is'),
  proof_path: OwnPath.describe('Where the proof is that it was committed before the window opened'),
  source: Source,
})

/** Eight leaves a window: a little more than two hours. */
const NEWEST_LEAVES = 200

/** A head stands for exactly its leaves, so they are read once for each head, however often they are asked for. */
const known = new WeakMap<RecordHead, Promise<readonly RevealLeaf[]>>()

/** Of the newest window that was revealed, in the order of the coins; empty where none was in about two hours. */
export async function lastClosed(record: PublicRecord | undefined): Promise<readonly RevealLeaf[]> {
  const reveals = await newestReveals(record)
  const newest = Math.max(...reveals.map(({ window_start }) => window_start))
  const last = reveals.filter(({ window_start }) => window_start === newest)
  return last.sort((a, b) => COINS.indexOf(a.coin) - COINS.indexOf(b.coin))
}

/** Of the newest window of this coin, which may lack in the newest of all. */
export async function lastClosedOf(
  record: PublicRecord | undefined,
  coin: Coin,
): Promise<RevealLeaf | undefined> {
  return (await closedOf(record, coin)).at(-1)
}

/** Of this coin, of about two hours, the newest window last. */
export async function closedOf(record: PublicRecord | undefined, coin: Coin): Promise<readonly RevealLeaf[]> {
  const reveals = (await newestReveals(record)).filter((leaf) => leaf.coin === coin)
  return reveals.sort((a, b) => a.window_start - b.window_start)
}

async function newestReveals(record: PublicRecord | undefined): Promise<readonly RevealLeaf[]> {
  const head = record?.latest().head
  if (!record || !head) return []
  const reading = known.get(head) ?? readReveals(record, head.treeSize)
  known.set(head, reading)
  try {
    return await reading
  } catch (error) {
    known.delete(head)
    throw error
  }
}

async function readReveals(record: PublicRecord, size: number): Promise<readonly RevealLeaf[]> {
  const leaves = await record.page(Math.max(0, size - NEWEST_LEAVES), NEWEST_LEAVES)
  return leaves.flatMap(({ leaf }) => (leaf.kind === 'reveal' ? [leaf] : []))
}

export function toClosedSignal(leaf: RevealLeaf, sourceOf: (source: string) => string) {
  const { direction, confidence, probability_up, abstain, regime, as_of } = leaf.prediction
  const isKnown = leaf.outcome !== 'unknown'
  return {
    coin: leaf.coin,
    ...{ direction, confidence, probability_up, abstain, regime },
    window_start: leaf.window_start,
    window_end: leaf.window_start + WINDOW_S,
    open_price_usd: leaf.open?.price ?? null,
    close_price_usd: leaf.close?.price ?? null,
    price_kind: (isKnown && leaf.close?.price_kind) || null,
    outcome: leaf.outcome,
    hit: leaf.hit,
    predicted_at: as_of,
    revealed_at: leaf.revealed_at,
    record_id: leaf.id,
    record_path: fillPath(recordEntry.path, { id: leaf.id }),
    proof_path: fillPath(recordProof.path, { id: leaf.id }),
    source: sourceOf(CLOSED_SOURCE),
  } satisfies z.input<typeof ClosedSignal>
}

export const NO_SIGNAL_NOTE =
  'no window has been committed to and closed in the last two hours; the first one follows within ten minutes of the start'
