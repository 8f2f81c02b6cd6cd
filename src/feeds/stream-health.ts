import type { Coin } from '../core/coin.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Venue } from './events.ts'

type StreamState = 'connecting' | 'live' | 'resyncing' | 'stalled' | 'backoff'

export type StreamHealth = {
  kind: 'trades' | 'book' | 'oracle'
  source: Venue | 'polybolt' | 'coinbase_derived' | 'polymarket'
  /** Undefined for a stream that carries all coins. */
  coin: Coin | undefined
  state: StreamState
  /** Since the last valid value arrived; undefined before the first. */
  ageMs: number | undefined
  /** From the venue's timestamp to arrival, smoothed; undefined before the first. */
  latencyMs: number | undefined
  reconnects: number
  gapsRepaired: number
  gapsLost: number
  resyncs: number
  duplicates: number
  malformed: number
}

type Counter = 'reconnects' | 'gapsRepaired' | 'gapsLost' | 'resyncs' | 'duplicates' | 'malformed'

/** State and counters of one stream. */
export type StreamGauge = {
  /** A valid value with the venue's time `atMs` arrived. */
  arrived(atMs: number): void
  become(state: StreamState): void
  count(counter: Counter): void
  ageMs(): number | undefined
  readonly state: StreamState
  read(): StreamHealth
}

/** Exponential smoothing over roughly the last twenty values. */
const LATENCY_WEIGHT = 0.1

export function createStreamGauge(
  clock: Clock,
  id: Pick<StreamHealth, 'kind' | 'source' | 'coin'>,
): StreamGauge {
  const counts = { reconnects: 0, gapsRepaired: 0, gapsLost: 0, resyncs: 0, duplicates: 0, malformed: 0 }
  let state: StreamState = 'connecting'
  let arrivedMs: number | undefined
  let latencyMs: number | undefined
  const ageMs = () => (arrivedMs === undefined ? undefined : clock.now() - arrivedMs)
  return {
    arrived(atMs) {
      arrivedMs = clock.now()
      const seen = arrivedMs - atMs
      latencyMs = latencyMs === undefined ? seen : latencyMs + LATENCY_WEIGHT * (seen - latencyMs)
      state = 'live'
    },
    become(next) {
      state = next
    },
    count(counter) {
      counts[counter]++
    },
    ageMs,
    get state() {
      return state
    },
    read: () => ({ ...id, state, ageMs: ageMs(), latencyMs, ...counts }),
  }
}
