import { readRevenue } from '../audit/aftermath.ts'
import type { Transfer } from '../audit/chain-evidence.ts'
import { type ChargeTimes, measureChargeTimes } from '../audit/charge-times.ts'
import { findViolations, type Violation } from '../audit/invariants.ts'
import type { LedgerRow } from '../audit/ledger-rows.ts'
import { createCounter, homeOf } from '../buying/counter.ts'
import type { Scene } from './chaos.ts'
import type { FaultReport } from './faults.ts'
import { findFleetViolations } from './fleet-rules.ts'
import type { Reign } from './leader-watch.ts'
import { readDatabaseRows, readSoldReplies } from './ledger-in-database.ts'
import type { Phases } from './phases.ts'

export type ChaosOutcome = {
  violations: readonly Violation[]
  counts: Readonly<Record<string, number>>
  faults: readonly FaultReport[]
  reigns: readonly Reign[]
  phases: Phases['counts']
  chargeTimes: ChargeTimes
  revenue: { moved: bigint; reported: ReadonlyMap<string, bigint | undefined> }
  /** Where the logs are. */
  dir: string
}

/** The budget that a client has without configuration. */
const FREE_CALLS = 5
const AT_ONCE = 8

/** Asks chains, ledger, apis and buyers, and compares what they say. */
export async function judge(
  scene: Scene,
  counted: { undecided: number; fetchedLate: number },
): Promise<ChaosOutcome> {
  const { fleet, till, terms, chain, charges, crowd, free, faults, stuck, watch, phases } = scene
  const { purchases } = crowd
  const { sightings, insults } = till.counter
  const withheld = await presentEverywhere(scene, await readDatabaseRows(fleet.postgres.url))
  const rows = await readDatabaseRows(fleet.postgres.url)
  const transfers = await chain.transfers()
  const held = await chain.held()
  const reported = await readRevenues(scene)
  const reportedRevenue = [...reported.values()][0]
  const money = { nowMs: Date.now(), transfers, held, rows, sightings, purchases, reportedRevenue }
  const crashes = fleet.members.flatMap((member) => member.crashes)
  const violations = [
    ...findViolations({ ...money, prices: terms.prices }),
    ...findFleetViolations({
      ...{ reigns: watch.reigns, faults, stuck, granted: free.granted, crashes, withheld },
      ...{ budget: FREE_CALLS, sold: await readSoldReplies(fleet.postgres.url), revenues: reported },
    }),
    ...insults.map((subject) => ({ rule: 'an answer nobody should get', subject })),
  ]
  const honest = purchases.filter(({ kind }) => kind === 'honest').flatMap(({ payments }) => payments)
  return {
    ...{ violations, faults, reigns: watch.reigns, phases: phases.counts, dir: fleet.dir },
    counts: countAll(scene, { rows, transfers, ...counted }),
    chargeTimes: measureChargeTimes({
      ...{ transfers, rows, counter: till.counter, chargedAtMs: charges.chargedAtMs },
      honest: new Set(honest.map(({ id }) => id)),
    }),
    revenue: { moved: transfers.reduce((total, { amount }) => total + amount, 0n), reported },
  }
}

/**
 * What was settled is there for whoever paid, behind every door: the same bytes, which the counter compares. Not for who
 * left before his payment had reached us: there a reader of the chain may have come first.
 */
async function presentEverywhere(
  { fleet, till, crowd }: Scene,
  rows: readonly LedgerRow[],
): Promise<string[]> {
  const settled = new Map(
    rows
      .filter(({ state }) => state === 'settled')
      .map(({ id, request }) => [id, request.replace(/^GET /, '')]),
  )
  const withheld: string[] = []
  const honest = crowd.purchases.filter(({ kind }) => kind === 'honest')
  const left = honest.flatMap(({ payments }) => payments).filter(({ id }) => settled.has(id))
  const work = async () => {
    for (let payment = left.pop(); payment; payment = left.pop())
      for (const { name, url } of fleet.apis) {
        const answer = await till.counter.present(settled.get(payment.id) ?? '', payment, {
          at: url,
          from: homeOf(payment),
        })
        if (answer?.status !== 200)
          withheld.push(`${payment.id} at ${name}: ${answer?.status} ${answer?.reason ?? ''}`)
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return withheld
}

async function readRevenues({ fleet }: Scene): Promise<Map<string, bigint | undefined>> {
  const all = fleet.apis.map(
    async ({ name, url }) => [name, await readRevenue(createCounter({ baseUrl: () => url }))] as const,
  )
  return new Map(await Promise.all(all))
}

type Counted = {
  rows: readonly LedgerRow[]
  transfers: readonly Transfer[]
  undecided: number
  fetchedLate: number
}

function countAll({ crowd, till, free, watch, faults }: Scene, { rows, transfers, ...counted }: Counted) {
  const { purchases } = crowd
  const inState = (wanted: string) => rows.filter(({ state }) => state === wanted).length
  return {
    purchases: purchases.length,
    'of them vanished': purchases.filter(({ kind }) => kind === 'vanishing').length,
    delivered: purchases.filter(({ isDelivered }) => isDelivered).length,
    'fetched after the end': counted.fetchedLate,
    transfers: transfers.length,
    'of them on Solana': transfers.filter(({ transaction }) => !transaction.startsWith('0x')).length,
    'settled rows': inState('settled'),
    'void rows': inState('void'),
    'open rows, in time': counted.undecided,
    'repeats at the other api': till.repeats(),
    'uses by thieves': crowd.reuses(),
    'second goods': [...till.counter.sightings.values()].filter(({ length }) => length > 1).length,
    'free calls granted': free.granted.length,
    'clients with free calls': new Set(free.granted.map(({ client }) => client)).size,
    'leaders nobody had asked for':
      watch.reigns.length - 1 - faults.filter(({ leaderMs }) => leaderMs !== undefined).length,
    'oldest data given away, ms': Math.max(0, ...free.granted.map(({ ageMs }) => ageMs)),
  }
}
