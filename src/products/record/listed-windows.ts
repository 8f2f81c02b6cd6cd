import { z } from 'zod'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { COINS, type Coin } from '../../core/coin.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import {
  entryId,
  MISSED_REASONS,
  UNKNOWN_REASONS,
  type WindowLeaf as WindowLeafType,
} from '../../record/log/leaf.ts'
import type { Latest } from '../../record/record-reader.ts'
import { AnyCoin } from './fields.ts'
import { perRecord } from './per-record.ts'
import type { PublicRecord } from './services.ts'

/** Entries on a page: an hour of all coins, or four of one. */
const PAGE_ENTRIES = 48

export const ListedWindow = z.object({
  id: z.string().describe('Coin and opening second of the window: /record/{id} has the whole entry'),
  coin: AnyCoin,
  window_start: z.int(),
  state: z
    .enum(['committed', 'revealed', 'missed'])
    .describe('committed: sealed until the window has closed'),
  probability_up: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('What we said before it opened; null while sealed'),
  abstain: z.boolean().nullable().describe('Too close to one half for a call; null while sealed'),
  outcome: z.enum(['UP', 'DOWN', 'unknown']).nullable().describe('A tie is UP; null until it is revealed'),
  brier: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Our score of this window, (probability_up - outcome)², 0 is best; null where there is none'),
  reason: z
    .enum([...MISSED_REASONS, ...UNKNOWN_REASONS])
    .nullable()
    .describe('Why it was missed or its outcome is unknown'),
})
export type Listed = z.input<typeof ListedWindow>

type Asked = { coin: Coin | undefined; beforeS: number | undefined }
type Page = { entries: Listed[]; newer: number | null; older: number | null }

/** Every window of every coin is entered exactly once, so a page is known by where it ends. Newest first. */
export async function listWindows(
  desk: PublicRecord,
  windows: Latest['windows'],
  { coin, beforeS }: Asked,
): Promise<Page> {
  if (!windows) return { entries: [], newer: null, older: null }
  const { firstS, lastS } = windows
  const coins = coin ? [coin] : COINS
  const spanS = (PAGE_ENTRIES / coins.length) * WINDOW_S
  const endS = Math.min(beforeS ?? Number.POSITIVE_INFINITY, lastS + WINDOW_S)
  // Counted from the newest window, whatever second was asked for.
  const topS = lastS - Math.floor((lastS + WINDOW_S - endS) / WINDOW_S) * WINDOW_S
  const bottomS = Math.max(firstS, topS - spanS + WINDOW_S)
  const ids: string[] = []
  for (let startS = topS; startS >= bottomS; startS -= WINDOW_S)
    ids.push(...coins.map((each) => entryId(each, startS)))
  const found = await Promise.all(ids.map((id) => findListed(desk, id)))
  return {
    entries: found.flatMap((listed) => (listed ? [listed] : [])),
    newer:
      topS < lastS ? Math.min(Math.max(topS, firstS - WINDOW_S) + WINDOW_S + spanS, lastS + WINDOW_S) : null,
    older: bottomS > firstS ? bottomS : null,
  }
}

/** Two hundred pages. */
const KEPT_ENTRIES = 9_600
const closedOf = perRecord(() => createBoundedCache<string, Listed>({ capacity: KEPT_ENTRIES }))

/** A window that is revealed or missed stays as it is: it is read once. */
async function findListed(desk: PublicRecord, id: string): Promise<Listed | undefined> {
  const closed = closedOf(desk)
  const known = closed.get(id)
  if (known) return known
  const last = (await desk.find(id)).at(-1)
  const listed = last && toListed(last.leaf)
  if (listed && listed.state !== 'committed') closed.set(id, listed)
  return listed
}

const NOTHING_SAID = { probability_up: null, abstain: null, outcome: null, brier: null, reason: null }

function toListed(leaf: WindowLeafType): Listed {
  const { id, coin, window_start } = leaf
  const entry = { id, coin, window_start }
  if (leaf.kind === 'commit') return { ...entry, ...NOTHING_SAID, state: 'committed' }
  if (leaf.kind === 'missed') return { ...entry, ...NOTHING_SAID, state: 'missed', reason: leaf.reason }
  const { prediction, outcome, reason } = leaf
  const { probability_up, abstain } = prediction
  return {
    ...entry,
    state: 'revealed',
    probability_up,
    abstain,
    outcome,
    brier: outcome === 'unknown' ? null : (probability_up - (outcome === 'UP' ? 1 : 0)) ** 2,
    reason,
  }
}
