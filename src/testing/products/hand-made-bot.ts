import type { BotStatus } from '../../bot/bot.ts'
import { createResults } from '../../bot/results/results.ts'
import { DEFAULT_CONFIG } from '../../bot/trading-config.ts'
import { silentLog } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { DecisionRow, TradeRow } from '../../ledger/ports/bot-book.ts'
import { createMarket } from '../../market/market.ts'
import type { LiveServices } from '../../products/bot/live/live.ts'
import type { PublicBot } from '../../products/bot/public-bot.ts'
import type { PublicState } from '../../products/bot/public-state.ts'
import type { BotServices } from '../../products/bot/services.ts'
import { createTradeBook } from '../bot/hand-made-trades.ts'
import { windowMarketAt } from './hand-made-prediction.ts'
import { sampleLiveEvent } from './sample-live-event.ts'

/** Results over these trades, as after a start. */
export async function resultsOver(clock: Clock, trades: readonly TradeRow[]) {
  const results = createResults({ book: createTradeBook(trades), clock, log: silentLog })
  await results.load()
  return results
}

type ShownStatus = BotStatus & { state: PublicState }

export function botStatusAt(nowMs: number, more: Partial<ShownStatus> = {}): ShownStatus {
  const { startS } = windowAt(nowMs)
  return {
    state: 'running',
    why: undefined,
    broker: 'paper',
    config: { version: 1, atMs: nowMs, by: 'default', config: DEFAULT_CONFIG },
    breaker: { isOpen: false, reason: undefined, sinceMs: undefined, consecutiveLosses: 0 },
    today: { broker: 'paper', trades: 3, profitE6: 1_250_000n, atRiskE6: 5_100_000n },
    obstacles: [],
    notes: [],
    lastDecision: decisionOf(startS),
    lastReconciledMs: nowMs - 500,
    openOrders: 1,
    startedMs: nowMs - 60_000,
    ...more,
  }
}

const decisionOf = (windowStartS: number): DecisionRow => ({
  windowStartS,
  coin: 'BTC',
  attempt: 1,
  atMs: (windowStartS + 30) * 1000,
  broker: 'paper',
  action: 'buy',
  reason: 'contrarian',
  facts: '{"probability":0.61}',
})
const closedDecision = (nowMs: number) => decisionOf(windowAt(nowMs).startS - WINDOW_S)

/** A bot on paper with 1,000 dollars and one position that waits for its outcome. */
export function publicBot(clock: Clock, more: Partial<PublicBot> = {}): PublicBot {
  return {
    status: () => botStatusAt(clock.now()),
    lastDecision: async () => closedDecision(clock.now()),
    wallet: async () => ({ broker: 'paper', amountE6: 1_000_500_000n }),
    countUnresolved: async () => 1,
    ...more,
  }
}

/** Services of which a test replaces parts between requests. No window has closed and nothing was traded. */
export function botServices(clock: Clock): BotServices & LiveServices {
  return {
    clock,
    market: createMarket({ clock }),
    sourceOf: (source) => `sandbox:${source}`,
    record: undefined,
    fiveMinute: { open: (coin) => windowMarketAt(coin, clock.now()) },
    results: undefined,
    bot: undefined,
    live: {
      now: () => sampleLiveEvent,
      listen: ({ hear, end }) => {
        hear(sampleLiveEvent)
        end()
        return () => {}
      },
    },
    tour: {
      welcome: 'Welcome',
      description: 'A shop of this test',
      endpoints: [{ path: '/x', description: 'x', price_usdc: 0.01, curl_example: 'curl /x' }],
      how_to_pay: { step_1: 'Pay' },
      free_trial: 'Try',
    },
  }
}
