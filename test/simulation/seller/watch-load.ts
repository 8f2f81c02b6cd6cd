import type { Clock } from '../../../src/core/time/clock.ts'
import type { FacilitatorPool } from '../../../src/payments/facilitators/facilitators.ts'
import {
  CLIENT_PLACES,
  FAILED_BY_CLIENT,
  FAILED_BY_PAYER,
  PAYER_PLACES,
  STRANGERS,
} from '../../../src/payments/gate/bounds/limits.ts'

/** What one process does for people whom it does not know, against the limits that it has for that. */
export type LoadWatch = {
  watch(pool: FacilitatorPool): FacilitatorPool
  /** Checks under way for wallets that have not bought lately. */
  strangers(): number
  /** A payment was refused that had been checked for these. */
  refused(key: string, client: string, payer: string): void
  sold(client: string, payer: string): void
}

/** Sends of one open payment within ten seconds: at once twice, then after pauses that grow. */
const SENDS = { most: 6, withinMs: 10_000 }

export function watchLoad(clock: Clock, report: (what: string) => void): LoadWatch {
  const underWay = new Map<string, number>()
  const checked = new Set<string>()
  const buyers = new Set<string>()
  const failed = new Map<string, number>()
  const sends = new Map<string, number[]>()
  let strangers = 0
  const change = (payer: string, by: 1 | -1) => {
    strangers += by
    const own = (underWay.get(payer) ?? 0) + by
    underWay.set(payer, own)
    if (strangers > STRANGERS.places) report('too many strangers at once')
    if (own > PAYER_PLACES.first) report(`a new wallet too often at once: ${payer}`)
  }
  /** In this minute: as many as may fail, and those that were under way when the last of them did. */
  const countFailed = (name: string, most: number) => {
    const window = `${name} ${Math.floor(clock.now() / 1000 / FAILED_BY_CLIENT.windowS)}`
    const count = (failed.get(window) ?? 0) + 1
    failed.set(window, count)
    if (count > most && !buyers.has(name)) report(`${name} failed too often`)
  }
  const countSend = (key: string) => {
    const fromMs = clock.now() - SENDS.withinMs
    const recent = [...(sends.get(key) ?? []).filter((ms) => ms > fromMs), clock.now()]
    sends.set(key, recent)
    if (recent.length > SENDS.most) report(`an open payment is sent again and again: ${key}`)
  }
  return {
    strangers: () => strangers,
    refused(key, client, payer) {
      if (!checked.delete(key)) return
      countFailed(client, FAILED_BY_CLIENT.calls + CLIENT_PLACES.first)
      countFailed(payer, FAILED_BY_PAYER.calls + PAYER_PLACES.first)
    },
    sold(client, payer) {
      buyers.add(client).add(payer)
    },
    watch: (pool) => ({
      ...pool,
      async verify(payment, isKnown) {
        checked.add(payment.key)
        if (isKnown) return pool.verify(payment, isKnown)
        change(payment.payer, 1)
        return pool.verify(payment, isKnown).finally(() => change(payment.payer, -1))
      },
      settle(payment) {
        countSend(payment.key)
        return pool.settle(payment)
      },
    }),
  }
}
