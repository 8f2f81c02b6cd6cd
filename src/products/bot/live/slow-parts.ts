import { ServiceError } from '../../../core/service-error.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { toStatusWords } from '../bot-status.ts'
import { closedOf, toClosedSignal } from '../closed-signals.ts'
import { toScalper } from '../scalper.ts'
import type { BotServices } from '../services.ts'
import type { LiveEvent } from './live-event.ts'

/** What changes with windows and trades, not with seconds. */
export type SlowParts = Pick<LiveEvent, 'signals' | 'bot' | 'equity'>
export type SlowServices = Pick<BotServices, 'clock' | 'record' | 'results' | 'bot' | 'sourceOf'>

/** An hour of windows. */
const SIGNALS_SHOWN = 12

export async function readSlowParts(services: SlowServices): Promise<SlowParts> {
  const signals = await unlessDown(readSignals(services), [])
  const read = await unlessDown(readBot(services), { bot: null, equity: [] })
  return { signals, ...read }
}

async function readSignals({ record, sourceOf }: SlowServices) {
  const closed = (await closedOf(record, 'BTC')).slice(-SIGNALS_SHOWN)
  return closed.map((leaf) => {
    const { window_start, direction, confidence, abstain, outcome, hit, record_path } = toClosedSignal(
      leaf,
      sourceOf,
    )
    return { window_start, direction, confidence, abstain, outcome, hit, record_path }
  })
}

async function readBot(services: SlowServices): Promise<Pick<SlowParts, 'bot' | 'equity'>> {
  const { equity_curve, ...figures } = await toScalper(services)
  const points = equity_curve.map(({ timestamp, pnl_usdc }): [number, number] => [
    Date.parse(timestamp) / SECOND_MS,
    pnl_usdc,
  ])
  // Trades of one window end in one second: the last has the sum.
  const equity = [...new Map(points)]
  return { bot: { ...figures, ...toStatusWords(services.bot) }, equity }
}

/** Ledger and record are read after a start, and may be down: the rest is worth showing. */
async function unlessDown<T>(read: Promise<T>, without: T): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ServiceError) return without
    throw error
  }
}
