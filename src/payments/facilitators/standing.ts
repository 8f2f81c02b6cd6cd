import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'

/** What became at a facilitator of payments in which we find no fault. */
export type Standing = {
  heard(network: string, payer: string, isYes: boolean): void
  /** It has failed one payer after another lately, and nobody not. */
  isDoubtful(network: string): boolean
}

const DOUBTFUL_AFTER_PAYERS = 3
const DOUBTFUL_FOR_MS = 5 * MINUTE_MS

/**
 * A facilitator without money for fees, or with a node that is ill, answers well and refuses everybody. On a network where
 * a payment is bound to its fee payer nobody else can be asked: only another offer helps.
 */
export function createStanding(clock: Clock): Standing {
  const refused = new Map<string, { payers: Set<string>; atMs: number }>()
  return {
    heard(network, payer, isYes) {
      const { payers } = refused.get(network) ?? { payers: new Set<string>() }
      if (isYes) return void refused.delete(network)
      if (payers.size < DOUBTFUL_AFTER_PAYERS) payers.add(payer)
      refused.set(network, { payers, atMs: clock.now() })
    },
    isDoubtful(network) {
      const found = refused.get(network)
      if (!found || clock.now() - found.atMs > DOUBTFUL_FOR_MS) return false
      return found.payers.size >= DOUBTFUL_AFTER_PAYERS
    },
  }
}
