export type Via = 'paid' | 'demo' | 'holder' | 'free'

export type UsageEvent = {
  atMs: number
  productId: string
  via: Via
  /** HTTP status of the reply. */
  status: number
  /** How long the reply took, where it was measured. */
  ms?: number | undefined
}

/** Calls of one UTC day (number since the epoch) with the same product, access and status. */
export type UsageSum = {
  day: number
  productId: string
  via: Via
  status: number
  calls: number
  /** How many of the calls were timed, and their total and longest duration. */
  timed: number
  totalMs: number
  maxMs: number
}

/** Call counts. It stores counts, not events: it grows with the catalog and the days, not with the traffic. */
export type UsageLog = {
  /** Never waits and never fails; up to a second of counts is lost in a crash. */
  record(event: UsageEvent): void
  /** From the UTC day of `sinceMs` on, oldest first. */
  perDay(sinceMs: number): Promise<readonly UsageSum[]>
  /** Calls not counted because too many distinct counts waited to be saved. */
  readonly dropped: number
}
