import type { Bot } from '../../bot/bot.ts'
import { type PublicState, toPublicState } from '../../products/bot/public-state.ts'
import type { CheckState, HealthCheck } from '../../products/service/services.ts'

/** A pause is the operator's wish, so nothing is wrong with it. */
const STATES: Readonly<Record<PublicState, CheckState>> = {
  starting: 'degraded',
  running: 'ok',
  paused: 'ok',
  stopped: 'degraded',
  blocked: 'degraded',
}

/** Nothing that is sold waits for the bot. Why it does not trade is for the operator, who asks `/admin/trading`. */
export function botCheck(bot: Pick<Bot, 'status'>, nowMs: number): HealthCheck {
  const { state: own, broker, lastReconciledMs } = bot.status()
  const state = toPublicState(own)
  return {
    name: 'bot',
    needed: false,
    state: STATES[state],
    latencyMs: null,
    ageMs: lastReconciledMs === undefined ? null : Math.max(0, nowMs - lastReconciledMs),
    detail: `${state}, on ${broker}`,
  }
}
