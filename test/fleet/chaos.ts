import { openSandboxWallet } from '../../src/cli/buying/sandbox-wallet.ts'
import { sleep, systemClock } from '../../src/core/time/clock.ts'
import { createSeeded, type Seeded } from '../../src/testing/seeded.ts'
import { fetchUnclaimed, untilDecided } from '../audit/aftermath.ts'
import { createChainEvidence } from '../audit/chain-evidence.ts'
import { type Crowd, gatherCrowd } from '../buying/crowd.ts'
import { readTerms, type Terms } from '../buying/terms.ts'
import { type Network, walletOf } from '../buying/wallet.ts'
import { type ChaosOutcome, judge } from './chaos-verdict.ts'
import { type ChargeWatch, watchCharges } from './charge-watch.ts'
import { causeFault, FAULTS, type FaultReport, untilWhole } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type FreeCallers, runFreeCallers } from './free-callers.ts'
import { type LeaderWatch, watchLeader } from './leader-watch.ts'
import { readDatabaseRows } from './ledger-in-database.ts'
import { createPhases, type Phases } from './phases.ts'
import { openTill, type Till } from './till.ts'

export type ChaosInput = {
  /** Faults begin until then; each kind happens at least once. */
  minutes: number
  seed: number
  buyers: number
  thieves: number
  freeCallers: number
  /** How long payments of buyers who left may take to die. */
  deathWatchMs: number
  say(line: string): void
}
/** Everything that a verdict looks at. */
export type Scene = {
  input: ChaosInput
  fleet: Fleet
  watch: LeaderWatch
  phases: Phases
  till: Till
  terms: Terms
  chain: ReturnType<typeof createChainEvidence>
  charges: ChargeWatch
  crowd: Crowd
  free: FreeCallers
  faults: FaultReport[]
  stuck: string[]
}

/** Two prices, so that a payment for one address does not fit all others. */
const PATHS = ['/price/BTC', '/price/ETH', '/price/SOL', '/btc-price'] as const
const CHAIN_LOOK_EVERY_MS = 20_000
const TELL_EVERY_MS = 15_000
/** Between two faults. */
const CALM_MS = [1_000, 8_000] as const
/** A payment of one who leaves for good must be dead by the end of the run. */
const DEAD_AFTER_MS = { base: 30_000, solana: 90_000 } as const
const SEEDS = { till: 1, free: 2, faults: 3 } as const

export async function chaos(input: ChaosInput): Promise<ChaosOutcome> {
  const fleet = await startFleet()
  input.say(`two engines, two apis, PostgreSQL, Redis and a world; logs in ${fleet.dir}`)
  const watch = watchLeader(fleet.postgres.url)
  try {
    return await play(input, fleet, watch)
  } finally {
    await watch.stop()
    await fleet.end()
  }
}

async function play(input: ChaosInput, fleet: Fleet, watch: LeaderWatch): Promise<ChaosOutcome> {
  await untilWhole(fleet)
  const scene = await openScene(input, fleet, watch)
  const { crowd, free, till, charges, chain } = scene
  const stopTelling = tell(scene)
  try {
    await causeFaults(scene, createSeeded(input.seed + SEEDS.faults))
    input.say('no more faults; everything under way is brought to an end')
    await Promise.all([crowd.leave(), free.leave()])
    await till.quiet()
    const readRows = () => readDatabaseRows(fleet.postgres.url)
    const undecided = await untilDecided(readRows, input.deathWatchMs)
    const fetchedLate = await fetchUnclaimed(till.counter, readRows, crowd.purchases)
    await charges.stop()
    await chain.look()
    return await judge(scene, { undecided, fetchedLate })
  } finally {
    stopTelling()
    await charges.stop()
  }
}

async function openScene(input: ChaosInput, fleet: Fleet, watch: LeaderWatch): Promise<Scene> {
  const phases = createPhases()
  const [first, ...rest] = fleet.apis.map(({ url }) => url)
  if (!first) throw new Error('there is no api')
  const urls = [first, ...rest] as const
  const till = openTill({ urls, seeded: createSeeded(input.seed + SEEDS.till), heard: phases.heard })
  const terms = await readTerms(till.counter, PATHS)
  const nodes = await fleet.nodes()
  const endsMs = Date.now() + input.minutes * 60_000
  const crowd = await gatherCrowd({
    ...input,
    counter: till.twice,
    paths: PATHS,
    openWallet: async (network: Network) =>
      walletOf(network, (await openSandboxWallet(first, network)).wallet),
    mayVanish: ({ network }) => endsMs - Date.now() > DEAD_AFTER_MS[network],
  })
  const free = runFreeCallers({
    ...{ urls, paths: PATHS, callers: input.freeCallers, heard: phases.heard },
    seeded: createSeeded(input.seed + SEEDS.free),
  })
  return {
    ...{ input, fleet, watch, phases, till, terms, crowd, free, faults: [], stuck: [] },
    chain: createChainEvidence(nodes, terms.payTo),
    charges: await watchCharges(nodes, terms.payTo),
  }
}

async function causeFaults(scene: Scene, seeded: Seeded): Promise<void> {
  const { input, fleet, watch, phases, faults, stuck } = scene
  const endsMs = Date.now() + input.minutes * 60_000
  for (let done = 0; done < FAULTS.length || Date.now() < endsMs; ) {
    for (const kind of shuffled(seeded)) {
      if (done >= FAULTS.length && Date.now() >= endsMs) return
      await sleep(systemClock, seeded.between(...CALM_MS))
      done++
      const caused = phases.during(kind, () => causeFault(kind, { fleet, watch, seeded }))
      await caused.then(
        (report) => {
          faults.push(report)
          const leader =
            report.leaderMs === undefined ? '' : `, next leader after ${Math.round(report.leaderMs)} ms`
          input.say(`${kind}: whole again after ${report.backMs} ms${leader}`)
        },
        (error: Error) => {
          stuck.push(`${kind}: ${error.message}`)
          input.say(`${kind}: ${error.message}`)
        },
      )
      if (stuck.length > 0) return
    }
  }
}

function shuffled(seeded: Seeded): (typeof FAULTS)[number][] {
  const left = [...FAULTS]
  return FAULTS.map(() => left.splice(seeded.below(left.length), 1)[0] ?? 'api killed')
}

function tell({ input, crowd, till, free, chain }: Scene): () => void {
  const stopLooking = systemClock.every(CHAIN_LOOK_EVERY_MS, () => void chain.look().catch(() => undefined))
  const stopTelling = systemClock.every(TELL_EVERY_MS, () => {
    const delivered = crowd.purchases.filter(({ isDelivered }) => isDelivered).length
    input.say(
      `${crowd.purchases.length} purchases, ${delivered} delivered, ${till.repeats()} repeated elsewhere, ${crowd.reuses()} stolen, ${free.granted.length} free calls`,
    )
  })
  return () => {
    stopLooking()
    stopTelling()
  }
}
