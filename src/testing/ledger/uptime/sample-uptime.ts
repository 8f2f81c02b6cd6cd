import type { Incident, PartDay } from '../../../ledger/ports/uptime-book.ts'

export const sampleDay = (given: Partial<PartDay> = {}): PartDay => ({
  ...{ day: 100, part: 'oracle', ok: 1, degraded: 0, down: 0 },
  ...{ timed: 1, totalMs: 2, maxMs: 2 },
  ...given,
})

export const sampleIncident = (given: Partial<Incident> = {}): Incident => ({
  part: 'oracle',
  beganMs: 1_000,
  endedMs: undefined,
  worst: 'down',
  cause: 'no tick',
  isPlanned: false,
  ...given,
})
