import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'

/** Where the count of a day is kept. */
export type DayCount = {
  /** 0 for a day that was never saved. */
  load(day: number): Promise<number>
  /** Durable when it resolves. */
  save(day: number, used: number): Promise<void>
}

/** Requests that may be sent in a UTC day. */
export type DailyBudget = {
  /** False where nothing is left, or the count cannot be kept: what is not counted is not spent. */
  take(): Promise<boolean>
}

/** What was taken stays taken, however the request ends: a failed one may have been paid for. */
export function createDailyBudget(clock: Clock, perDay: number, count: DayCount): DailyBudget {
  let open: { day: number; counted: Promise<{ used: number }> } | undefined
  const countOf = (day: number): Promise<{ used: number }> => {
    if (open?.day === day) return open.counted
    const counted = count.load(day).then((used) => ({ used }))
    open = { day, counted }
    // What could not be read is read again by the next.
    counted.catch(() => {
      if (open?.counted === counted) open = undefined
    })
    return counted
  }
  return {
    async take() {
      const day = Math.floor(clock.now() / DAY_MS)
      try {
        const counted = await countOf(day)
        if (counted.used >= perDay) return false
        counted.used++
        await count.save(day, counted.used)
        return true
      } catch {
        return false
      }
    },
  }
}
