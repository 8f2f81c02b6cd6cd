import { ServiceError } from '../../core/service-error.ts'
import type { ToldStatus } from '../../products/bot/public-bot.ts'
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
export function botCheck(bot: { status(): ToldStatus }, nowMs: number): HealthCheck {
  const check = { name: 'bot', needed: false, latencyMs: null }
  const status = findStatus(bot)
  if (typeof status === 'string') return { ...check, state: 'degraded', ageMs: null, detail: status }
  const { state: own, broker, lastReconciledMs } = status
  const state = toPublicState(own)
  return {
    ...check,
    state: STATES[state],
    ageMs: lastReconciledMs === undefined ? null : Math.max(0, nowMs - lastReconciledMs),
    detail: `${state}, on ${broker}`,
  }
}

/** Where another process has the bot, why nothing is heard of it. */
function findStatus(bot: { status(): ToldStatus }): ToldStatus | string {
  try {
    return bot.status()
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}
