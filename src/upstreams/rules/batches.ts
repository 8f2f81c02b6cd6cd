import type { Clock } from '../../core/time/clock.ts'
import { type Allowance, createRequestBudget } from './request-budget.ts'

/** Keys that are asked for at about the same time go out together. */
export type Batches = {
  /** False where no request that could take the key may be sent soon. */
  add(key: string): boolean
  /** For a request that a batch needs beyond its first; false where none may be sent soon. */
  takeOneMore(): boolean
}

type Options = {
  clock: Clock
  /** Keys in one request. */
  size: number
  /** How long the first of a batch waits for others. */
  gatherMs: number
  /** What these requests may use of the provider's limit. The rest is left to those who ask it for something else. */
  allowance: Allowance
  /** No batch is opened that would be sent later than this. */
  maxWaitMs: number
  send(keys: readonly string[]): void
}

export function createBatches({ clock, size, gatherMs, allowance, maxWaitMs, send }: Options): Batches {
  const budget = createRequestBudget(clock, allowance, maxWaitMs)
  let open: string[] | undefined

  const openNext = (): string[] | undefined => {
    const waitMs = budget.findWaitMs(1)
    if (waitMs === undefined) return undefined
    const batch: string[] = []
    clock.after(Math.max(gatherMs, waitMs), () => {
      if (open === batch) open = undefined
      send(batch)
    })
    return batch
  }
  return {
    add(key) {
      if (open === undefined || open.length >= size) open = openNext()
      open?.push(key)
      return open !== undefined
    },
    takeOneMore: () => budget.findWaitMs(1) !== undefined,
  }
}
