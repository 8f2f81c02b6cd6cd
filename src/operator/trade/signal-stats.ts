import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { LoggedSignalRow } from '../../ledger/ports/operator-book.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { Count } from '../fields.ts'
import { OPERATOR_SOURCE } from '../sources.ts'
import { ConfidenceBucket, HitRate, type Judged, MEANINGFUL_COUNT, toBuckets, toHitRate } from './hit-rate.ts'
import type { TradeServices } from './services.ts'

const LAST_MAX = 500
/** Twice what can be asked for: so many signals may be late or without an outcome and still hide none. */
const SIGNALS_READ = 2 * LAST_MAX

export const signalStats = defineEndpoint({
  id: 'trade.signal_stats',
  method: 'GET',
  path: '/trade/signal-stats',
  access: operator('trade'),
  summary: 'How often logged signals came true',
  description: `Rolling hit rate over the last resolved signals of /trade/log-signal: overall, per side and by confidence, each with its count, a 95 % interval and the Brier score. Below ${MEANINGFUL_COUNT} signals a rate means little, and the reply says so. Signals logged after their window had closed are counted as late and left out.`,
  params: z.object({
    last: z.int().min(10).max(LAST_MAX).default(50).describe('How many resolved signals, newest first'),
  }),
  sample: { last: 50 },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    last: z.int(),
    overall: HitRate,
    per_side: z.object({ UP: HitRate, DOWN: HitRate }),
    by_confidence: z.array(ConfidenceBucket),
    unresolved: Count.describe('Newer than the oldest that counts, and without an outcome yet'),
    late: Count.describe('Logged after their window had closed: not counted'),
    note: z.string().nullable(),
  }),
  handle: async (services: TradeServices, { last }) => {
    const { judged, unresolved, late } = await judge(services, last)
    return {
      timestamp: isoTime(services.clock.now()),
      source: services.sourceOf(OPERATOR_SOURCE),
      last,
      overall: toHitRate(judged),
      per_side: {
        UP: toHitRate(judged.filter(({ side }) => side === 'UP')),
        DOWN: toHitRate(judged.filter(({ side }) => side === 'DOWN')),
      },
      by_confidence: toBuckets(judged),
      unresolved,
      late,
      note: noteOf(judged.length),
    }
  },
})

/** Newest first, until `last` have an outcome. */
async function judge({ operatorBook, book }: TradeServices, last: number) {
  const judged: Judged[] = []
  let unresolved = 0
  let late = 0
  for (const signal of await operatorBook.signals(SIGNALS_READ)) {
    if (judged.length === last) break
    if (isLate(signal)) {
      late++
      continue
    }
    const resolution = await book.findResolution(signal.coin, signal.windowStartS)
    if (!resolution) unresolved++
    else judged.push({ ...signal, isHit: resolution.outcome === signal.side })
  }
  return { judged, unresolved, late }
}

const isLate = ({ windowStartS, atMs }: LoggedSignalRow) => atMs >= (windowStartS + WINDOW_S) * 1000

function noteOf(count: number): string | null {
  return count < MEANINGFUL_COUNT
    ? `${count} resolved signals: below ${MEANINGFUL_COUNT} a hit rate means little`
    : null
}
