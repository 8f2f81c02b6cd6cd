import type { z } from 'zod'
import { ServiceError } from '../../core/service-error.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Aged } from '../../upstreams/source.ts'
import { LIST_FRESH_MS, type Refreshed } from './list-fields.ts'
import type { PredictionServices } from './services.ts'
import { type ShownMarket, shownList } from './shown-list.ts'
import { shownTime } from './shown-number.ts'

/** The last whole list; 503 where there is none or it is too old. */
export function listOf({ list, clock }: PredictionServices): Aged<readonly ShownMarket[]> {
  const last = list.last()
  const hint = 'try again after Retry-After; nothing was charged'
  if (!last) throw new ServiceError('upstream_unavailable', `no list of markets: ${list.missing()}`, { hint })
  const ageMs = clock.now() - last.asOfMs
  if (ageMs <= LIST_FRESH_MS) return { value: shownList(last.value), asOfMs: last.asOfMs }
  const age = `the list of markets is ${Math.round(ageMs / MINUTE_MS)} minutes old`
  throw new ServiceError('stale_data', `${age}: ${list.missing()}`, { hint })
}

export function toRefreshed({ list }: PredictionServices, asOfMs: number): z.input<typeof Refreshed> {
  const refreshed_at = new Date(asOfMs).toISOString()
  const next_refresh_at = shownTime(list.nextMs()) ?? refreshed_at
  return { refreshed_at, next_refresh_at, events_read: list.last()?.events ?? 0 }
}

/** Whole seconds: time remaining is shown in them. */
export const listChanges = ({ list, clock }: PredictionServices): unknown[] => {
  const last = list.last()
  return [last?.value, last?.asOfMs, list.nextMs(), Math.floor(clock.now() / 1000)]
}
