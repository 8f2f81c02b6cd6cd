export type Via = 'paid' | 'demo' | 'holder' | 'free'

export type UsageEvent = {
  atMs: number
  productId: string
  via: Via
  /** Of the reply, as HTTP counts them. */
  status: number
  /** How long the reply took, where it was measured. */
  ms?: number | undefined
}

/** Calls of one UTC day (number since the epoch) that went the same way. */
export type UsageSum = {
  day: number
  productId: string
  via: Via
  status: number
  calls: number
  /** How many of the calls were timed, and what they took together and at most. */
  timed: number
  totalMs: number
  maxMs: number
}

/** How often what was called. Counts, not events: it grows with the catalog and the calendar, not with the traffic. */
export type UsageLog = {
  /** Never waits and never fails; up to a second of counts is lost in a crash. */
  record(event: UsageEvent): void
  /** From the UTC day of `sinceMs` on, oldest first. */
  perDay(sinceMs: number): Promise<readonly UsageSum[]>
  /** Calls not counted because too many different ones waited to be saved. */
  readonly dropped: number
}
