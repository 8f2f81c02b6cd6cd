import type { Clock } from '../core/time/clock.ts'
import { DAY_MS } from '../core/time/time.ts'
import type { CallLimit, DemoCounters } from '../ledger/ports/demo-counters.ts'

/** Calls of the current UTC day by whom they are counted for. */
export type CallCounts = {
  /** In the order of the keys. */
  used(keys: readonly string[]): Promise<readonly number[]>
  /** One call for each of the keys; none where one of them has reached its limit. */
  take(limits: readonly CallLimit[]): Promise<CountedCall>
}
/** `used`: what each key has used by then. */
export type CountedCall = { used: readonly number[]; call: TakenCall | undefined }
export type TakenCall = {
  /** Counts once, and only for the day of the call. Never rejects: what cannot be given back is lost for the day. */
  giveBack(): Promise<void>
}

type Options = { clock: Clock; counters: DemoCounters }

/**
 * A call is counted durably before its work begins, so that of two requests racing for the last one exactly one wins, in
 * whichever processes, and a restart gives nothing back.
 */
export function createCallCounts({ clock, counters }: Options): CallCounts {
  const today = () => Math.floor(clock.now() / DAY_MS)
  return {
    used: (keys) => counters.used(today(), keys),
    async take(limits) {
      const day = today()
      const { isTaken, used } = await counters.take(day, limits)
      const keys = limits.map(([key]) => key)
      return { used, call: isTaken ? holdCall(() => counters.giveBack(day, keys)) : undefined }
    },
  }
}

function holdCall(giveBack: () => Promise<void>): TakenCall {
  let isHeld = true
  return {
    async giveBack() {
      if (!isHeld) return
      isHeld = false
      await giveBack().catch(() => {})
    },
  }
}
