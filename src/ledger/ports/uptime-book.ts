/** Measured UTC days that are kept; the oldest gives way. */
export const UPTIME_DAYS_KEPT = 400
/** Incidents that are kept; the oldest gives way. */
export const INCIDENTS_KEPT = 1_000
export const CAUSE_MAX_CHARS = 200

/** What was measured of one part on one UTC day (number since the epoch). */
export type PartDay = {
  day: number
  part: string
  /** How many checks found it in each state. */
  ok: number
  degraded: number
  down: number
  /** How many of the checks were timed, and their total and longest time. */
  timed: number
  totalMs: number
  maxMs: number
}

export type Incident = {
  part: string
  beganMs: number
  /** Undefined while it goes on. */
  endedMs: number | undefined
  worst: 'degraded' | 'down'
  /** For everybody, at most `CAUSE_MAX_CHARS` long. */
  cause: string
  /** The operator stopped it. */
  isPlanned: boolean
}

/** The newest sign of life, from which the next start sees how long nothing ran. */
export type SignOfLife = { atMs: number; isStop: boolean }

export type UptimeEntry = {
  life: SignOfLife
  /** Added to what is there. */
  days: readonly PartDay[]
  /** One with the part and begin of another takes its place. */
  incidents: readonly Incident[]
}

export type KeptUptime = {
  life: SignOfLife | undefined
  /** Oldest first, then by part. */
  days: readonly PartDay[]
  /** Newest first, then by part. */
  incidents: readonly Incident[]
}

/** What the service measured of itself: it grows with its parts and the days, not with the measurements. */
export type UptimeBook = {
  /**
   * All or nothing, and durable when it resolves. The kept sign of life never goes back, and nothing is removed for
   * being ahead of it: the clock that is wrong may be this one.
   */
  save(entry: UptimeEntry): Promise<void>
  load(sinceDay: number): Promise<KeptUptime>
}
