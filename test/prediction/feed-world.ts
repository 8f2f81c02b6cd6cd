import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { type OpenPrediction, openPrediction } from '../../src/app/prediction.ts'
import { createManualClock, type ManualClock } from '../../src/core/time/manual-clock.ts'
import { type Internet, startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { createPredictionVenue } from '../../src/sandbox/prediction/prediction-venue.ts'
import type { PredictionVenue } from '../../src/sandbox/prediction/venue.ts'
import type { Tamper } from '../../src/sandbox/providers/peers.ts'
import { createSeeded } from '../../src/testing/seeded.ts'

/** A minute and a half into a window. */
export const START_MS = Date.UTC(2026, 0, 5, 12, 1, 30)
/** Turns of the event loop that a step waits for replies under way. */
const MAX_TURNS = 5_000
/** While some are not answered, or are repeated later. */
const FEW_TURNS = 100

/** The simulated venue behind real sockets, what the service knows of it, and one clock that waits for both. */
export type PredictionWorld = {
  clock: ManualClock
  internet: Internet
  venue: PredictionVenue
  simulation: SimulatedMarket
  open: OpenPrediction
  /** Moves both by this much, a second at a time. */
  pass(ms: number, eachSecond?: () => void): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type WorldOptions = {
  seed?: number
  startMs?: number
  tamper?: Tamper
  prepare?(internet: Internet): void
  isHasty?(): boolean
}

export async function openPredictionWorld(options: WorldOptions = {}): Promise<PredictionWorld> {
  const { seed = 7, startMs = START_MS, tamper, prepare, isHasty = () => false } = options
  const cadence = { bookEveryMs: 1_000, tradesPerSecond: 0.05 }
  const simulation = createSimulatedMarket({ seed, startMs, cadence })
  const venue = createPredictionVenue({ seed: String(seed), market: simulation })
  const clock = createManualClock(startMs)
  const internet = await startInternet({ market: simulation, clock, venue, ...(tamper && { tamper }) })
  prepare?.(internet)
  const open = openPrediction({
    upstreams: internet.urls,
    wallet: undefined,
    clock,
    log: pino({ level: 'silent' }),
    random: createSeeded(seed).fraction,
  })
  const settle = async () => {
    await internet.drained()
    for (let turns = 0; open.fiveMinute.isBusy && turns < (isHasty() ? FEW_TURNS : MAX_TURNS); turns++)
      await nextTurn()
    await internet.drained()
  }
  await settle()
  return {
    clock,
    internet,
    venue,
    simulation,
    open,
    async pass(ms, eachSecond = () => {}) {
      for (const untilMs = clock.now() + ms; clock.now() < untilMs; ) {
        const atMs = Math.min(untilMs, clock.now() + 1_000)
        simulation.advanceTo(atMs)
        await internet.drained()
        clock.advanceTo(atMs)
        await settle()
        eachSecond()
      }
    },
    async [Symbol.asyncDispose]() {
      open.stop()
      venue.close()
      await internet.close()
    },
  }
}
