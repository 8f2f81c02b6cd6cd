import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { BotBook, BrokerName, OrderRow, ResolutionRow } from '../../ledger/ports/bot-book.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { type LedgerView, windowKey } from '../account/ledger-view.ts'
import type { Broker } from '../brokers/broker.ts'
import { isDue } from '../is-due.ts'
import type { BotPorts } from '../ports.ts'
import { forEvery } from './for-every.ts'
import { learnOutcome } from './learn-outcome.ts'

export type Resolutions = {
  /** Of a window that the venue says is over; written with the next `save`. */
  hear(market: FiveMinuteMarket): void
  /** Writes what was heard, and asks for windows that hold something of ours and of which nothing was heard. */
  save(): Promise<void>
}

type Ports = {
  clock: Clock
  log: Log
  book: Pick<BotBook, 'addResolution' | 'findResolution'>
  view: Pick<LedgerView, 'unsettled' | 'findResolution' | 'putResolution'>
  findOutcome: BotPorts['findOutcome']
  findBroker(name: BrokerName): Broker | undefined
}

/** A day of four coins, and some; windows beyond it that hold something of ours are asked for one by one. */
const MAX_HEARD = 2_000
/** The venue tells most outcomes by itself within this time. */
const ASK_AFTER_MS = MINUTE_MS

/** Where both sides pay alike, UP stands for it: the venue calls a price that has not moved so. */
const END_OF = {
  UP: { outcome: 'UP', payoutUpE6: 1_000_000n },
  DOWN: { outcome: 'DOWN', payoutUpE6: 0n },
  SPLIT: { outcome: 'UP', payoutUpE6: 500_000n },
} as const

export function createResolutions(ports: Ports): Resolutions {
  const { clock, log, book, view, findOutcome, findBroker } = ports
  const heard = new Map<string, ResolutionRow>()
  const askedMs = new Map<string, number>()

  const write = async (row: ResolutionRow) => {
    const isNew = await book.addResolution(row)
    const kept = isNew ? row : await book.findResolution(row.coin, row.windowStartS)
    if (kept) view.putResolution(kept)
    if (kept && kept.payoutUpE6 !== row.payoutUpE6)
      log.error(
        { coin: row.coin, windowStartS: row.windowStartS },
        'the venue told two outcomes of one window',
      )
  }
  /** It is asked again, and nothing waits for it: one window that fails must not keep the bot from starting. */
  const unlessDown = async <T>(ask: () => Promise<T>, text: string): Promise<T | undefined> => {
    try {
      return await ask()
    } catch (err) {
      if (!(err instanceof ServiceError && err.code === 'upstream_unavailable')) throw err
      log.warn({ err }, text)
      return undefined
    }
  }
  /** Shares that the venue, or the operator, redeemed before anybody told the outcome. */
  const learn = async (orders: readonly OrderRow[]) => {
    const broker = orders[0] && findBroker(orders[0].broker)
    if (!broker) return
    await unlessDown(() => learnOutcome(ports, orders, broker), 'what was paid for shares cannot be asked')
  }
  const ask = async ({ coin, windowStartS, conditionId }: OrderRow, orders: readonly OrderRow[]) => {
    const key = windowKey({ coin, windowStartS })
    const sinceEndMs = clock.now() - (windowStartS + WINDOW_S) * 1000
    if (sinceEndMs < ASK_AFTER_MS || !isDue(clock.now(), askedMs.get(key), askEveryMs(sinceEndMs))) return
    askedMs.set(key, clock.now())
    const outcome = await unlessDown(
      () => findOutcome(coin, windowStartS),
      'the outcome of a window cannot be asked',
    )
    if (!outcome) return learn(orders)
    await write({ coin, windowStartS, conditionId, ...END_OF[outcome], atMs: clock.now() })
    askedMs.delete(key)
  }
  return {
    hear({ coin, window: { startS }, conditionId, outcome }) {
      if (!outcome || view.findResolution(coin, startS) || heard.size >= MAX_HEARD) return
      const row = { coin, windowStartS: startS, conditionId, ...END_OF[outcome], atMs: clock.now() }
      heard.set(windowKey(row), row)
    },
    async save() {
      for (const [key, row] of heard) {
        if (!view.findResolution(row.coin, row.windowStartS)) await write(row)
        heard.delete(key)
      }
      await forEvery(view.unsettled(), async (orders) => {
        const [first] = orders
        if (first && !view.findResolution(first.coin, first.windowStartS)) await ask(first, orders)
      })
    },
  }
}

/** The longer it takes, the longer it may still take. */
function askEveryMs(sinceEndMs: number): number {
  if (sinceEndMs < 10 * MINUTE_MS) return 20 * SECOND_MS
  return sinceEndMs < HOUR_MS ? MINUTE_MS : 5 * MINUTE_MS
}
