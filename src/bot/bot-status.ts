import { MINUTE_MS, SECOND_MS } from '../core/time/time.ts'
import type { BotStatus, Breaker } from './bot.ts'
import type { Obstacle } from './brokers/broker.ts'
import { isDue } from './is-due.ts'
import type { Note } from './notes.ts'
import type { Reconciler } from './reconcile/reconcile.ts'
import { whyLimited } from './risk/day-limits.ts'
import { PAUSED_WORDS, type TradingConfig } from './trading-config.ts'

type Facts = {
  isReady: boolean
  /** Why the last reconciliation was not whole. */
  fault: string | undefined
  breaker: Breaker
  obstacles: readonly Obstacle[]
  config: TradingConfig
  today: BotStatus['today']
}

/** What the bot is doing, and why it does not trade; the first that stops it. */
export function stateOf(facts: Facts): Pick<BotStatus, 'state' | 'why'> {
  const { isReady, fault, breaker, obstacles, config, today } = facts
  if (!isReady)
    return { state: 'starting', why: fault ?? 'the ledger is being reconciled with the venue before trading' }
  if (breaker.isOpen) return { state: 'stopped', why: `the breaker is open: ${breaker.reason}` }
  if (obstacles[0]) return { state: 'blocked', why: obstacles.map(({ text }) => text).join('; ') }
  if (!config.enabled) return { state: 'paused', why: PAUSED_WORDS }
  const limit = whyLimited({ day: today, config })
  return limit === undefined ? { state: 'running', why: undefined } : { state: 'limited', why: limit }
}

/** A whole pass takes seconds. */
const LATE_AFTER_MS = MINUTE_MS
const LATE_NOTE = 'reconciling_late'

/** That ledger and venue have not been brought together for long; until the first time the state says so. */
export function lateNotes({ lastMs, fault }: Pick<Reconciler, 'lastMs' | 'fault'>, nowMs: number): Note[] {
  const atMs = lastMs()
  if (atMs === undefined || !isDue(nowMs, atMs, LATE_AFTER_MS + 1)) return []
  const agoS = Math.round((nowMs - atMs) / SECOND_MS)
  const why = fault() ?? 'the pass that is under way has not ended'
  return [{ code: LATE_NOTE, text: `the last whole reconciliation was ${agoS} s ago: ${why}` }]
}
