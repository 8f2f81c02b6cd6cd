import { COINS } from '../../core/coin.ts'
import { countText } from '../../core/count-text.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { PublicRecord } from '../../products/record/services.ts'
import type { HealthCheck } from '../../products/service/services.ts'
import { SIGNAL_FRESH_MS } from '../../products/signals/fields.ts'
import type { SignalServices } from '../../products/signals/services.ts'

/** A head is signed in every window, so an older one means trouble; 180 s are for a slow oracle. */
const HEAD_DUE_MS = (WINDOW_S + 180) * 1000

/** Prices can be sold without signals, so that their absence is no outage. */
export function signalsCheck({
  signals,
  clock,
}: {
  signals: SignalServices['signals']
  clock: Clock
}): HealthCheck {
  const nowMs = clock.now()
  const ages = COINS.flatMap((coin) => {
    const signal = signals.signal(coin)
    return signal ? nowMs - signal.asOfMs : []
  })
  const lacks = COINS.flatMap((coin) => (signals.signal(coin) ? [] : `${coin}: ${signals.missing(coin)}`))
  const fresh = ages.filter((ageMs) => ageMs <= SIGNAL_FRESH_MS).length
  return {
    name: 'signals',
    needed: false,
    state: fresh === COINS.length ? 'ok' : fresh > 0 ? 'degraded' : 'down',
    latencyMs: null,
    ageMs: ages.length === 0 ? null : Math.max(...ages),
    detail: [`fresh signals of ${fresh} of ${COINS.length} coins`, ...lacks].join(', '),
  }
}

/** An empty record is well until the first window should have been entered. */
export function createRecordCheck({
  record,
  clock,
}: {
  record: Pick<PublicRecord, 'latest'>
  clock: Clock
}): () => HealthCheck {
  const startedMs = clock.now()
  return () => {
    const check = { name: 'record', needed: false, latencyMs: null }
    try {
      const { head } = record.latest()
      const ageMs = clock.now() - (head?.atMs ?? startedMs)
      const detail = head ? countText(head.treeSize, 'leaf', 'leaves') : 'no window was entered yet'
      return { ...check, state: ageMs <= HEAD_DUE_MS ? 'ok' : 'degraded', ageMs: head ? ageMs : null, detail }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { ...check, state: 'degraded', ageMs: null, detail: error.message }
    }
  }
}
