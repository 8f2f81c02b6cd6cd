import type { FacilitatorClient } from '@x402/core/server'
import { findSpread } from '../../harness/spread.ts'

/** Medians since they were last asked for. */
export type Timings = { verifyMs: number; settleMs: number }

/** A measurement's worth; later calls are not timed. */
const TIMED_MAX = 100_000

/** The same facilitator, with a watch on what it takes itself: that is not the seller's doing. */
export function timeFacilitator(client: FacilitatorClient): { client: FacilitatorClient; take(): Timings } {
  const spent = { verify: [] as number[], settle: [] as number[] }
  const timed = async <T>(step: keyof typeof spent, call: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    try {
      return await call()
    } finally {
      if (spent[step].length < TIMED_MAX) spent[step].push(performance.now() - startedAt)
    }
  }
  return {
    client: {
      verify: (...payment) => timed('verify', () => client.verify(...payment)),
      settle: (...payment) => timed('settle', () => client.settle(...payment)),
      getSupported: () => client.getSupported(),
    },
    take() {
      const medianOf = (values: number[]) => findSpread(values.splice(0))?.median ?? 0
      return { verifyMs: medianOf(spent.verify), settleMs: medianOf(spent.settle) }
    },
  }
}
