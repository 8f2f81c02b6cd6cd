import { countText } from '../../core/count-text.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { HealthCheck } from '../../products/service/services.ts'
import type { OpenHistory } from '../history.ts'

const BYTES_PER_MB = 1_000_000

/** Names the model that runs too. Without history everything is sold as before: only learning from it stops. */
export function historyCheck(
  { modelName, recorder }: ReturnType<OpenHistory['health']>,
  nowMs: number,
): HealthCheck {
  const check = { name: 'history', needed: false, latencyMs: null }
  const model = `model ${modelName}`
  if (!recorder) return { ...check, state: 'ok', ageMs: null, detail: `${model}, no history is kept` }
  const { days, bytes, newestMs, fault } = recorder
  const kept = `${countText(days, 'day')} in ${(bytes / BYTES_PER_MB).toFixed(1)} MB`
  return {
    ...check,
    state: fault === undefined ? 'ok' : 'degraded',
    ageMs: newestMs === undefined ? null : Math.max(0, nowMs - newestMs - MINUTE_MS),
    detail: fault === undefined ? `${model}, ${kept}` : `${model}, history cannot be written: ${fault}`,
  }
}
