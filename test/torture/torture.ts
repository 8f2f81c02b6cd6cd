import { usd } from '../../src/core/money.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { inspectLedger, ledgerPath, readLedger } from '../../src/ledger/files/ledger-file.ts'
import { openSandboxKeys } from '../../src/sandbox/keys.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { fetchUnclaimed, readRevenue, untilDecided } from '../audit/aftermath.ts'
import { type ChainEvidence, createChainEvidence } from '../audit/chain-evidence.ts'
import { type ChargeTimes, measureChargeTimes } from '../audit/charge-times.ts'
import { findViolations, type Violation } from '../audit/invariants.ts'
import { type LedgerRow, PAYMENT_ROWS, parseRow } from '../audit/ledger-rows.ts'
import { type Counter, createCounter } from '../buying/counter.ts'
import { type Crowd, gatherCrowd } from '../buying/crowd.ts'
import { readTerms, type Terms } from '../buying/terms.ts'
import { createKiller, type Kill, type Killer } from './killer.ts'
import { openWallet } from './open-wallet.ts'
import { createService, type Service } from './service.ts'
import { startTortureWorld, type TortureWorld } from './world.ts'

export type TortureInput = {
  kills: number
  buyers: number
  thieves: number
  seed: number
  /** How long payments of buyers who left may take to die; those that live on must at least be in time. */
  deathWatchMs: number
  /** Another main file of the service, to show that the harness detects a broken one. */
  main?: string | undefined
  progress?: (line: string) => void
}
export type TortureOutcome = {
  violations: readonly Violation[]
  kills: readonly Kill[]
  startsMs: readonly number[]
  answers: Counter['answers']
  counts: Readonly<Record<string, number>>
  /** Directory with the log, ledger and chains of the run. */
  dir: string
  /** What moved to the operator, and what the service says that it earned. */
  revenue: { moved: bigint; reported: bigint | undefined }
  chargeTimes: ChargeTimes
}

/** Two prices, so that a payment for one address does not fit all others. */
const PATHS = ['/price/BTC', '/price/ETH', '/price/SOL', '/btc-price'] as const
/** Share of kills that a data directory suffers before it has ever seen a whole start. */
const UNBORN_SHARE = 0.02
const CHAIN_LOOK_EVERY_MS = 20_000
const PROGRESS_EVERY_MS = 15_000
/** Who leaves for good does so this many kills before the last: Solana payments take a minute to die. */
const LAST_VANISHING = { base: 3, solana: 25 } as const

type Scene = {
  input: TortureInput
  world: TortureWorld
  service: Service
  killer: Killer
  counter: Counter
}

/** Kills the real service under paying load, then asks chain and ledger what became of the money. */
export async function torture(input: TortureInput): Promise<TortureOutcome> {
  const world = await startTortureWorld(input.seed)
  const service = await createService(world, input.main)
  const killer = createKiller(service, world, createSeeded(input.seed))
  try {
    return await play({
      input,
      world,
      service,
      killer,
      counter: createCounter({ baseUrl: () => service.url }),
    })
  } finally {
    await service.end()
    await world.close()
  }
}

async function play(scene: Scene): Promise<TortureOutcome> {
  const { input, world, service, killer, counter } = scene
  for (let done = 0; done < Math.ceil(input.kills * UNBORN_SHARE); done++) await killer.killUnborn()
  let life = service.start()
  await life.settled
  // Where the payee has no account on Solana, the service does not offer it.
  await world.svm.fundUsdc(openSandboxKeys(service.dataDir).svm.address, usd('0'))
  await life.kill('SIGTERM')
  life = service.start()
  await life.settled
  const terms = await readTerms(counter, PATHS)
  world.faults.start()
  world.nodeFaults.start()
  const evidence = createChainEvidence({ evm: world.evm.rpcUrl, svm: world.svm.rpcUrl }, terms.payTo)
  const crowd = await gatherCrowd({
    ...{ ...input, counter, paths: PATHS, mayVanish: mayVanish(scene) },
    openWallet: (network) => openWallet(world, network),
  })
  const stopWatching = watch(scene, evidence, crowd)
  while (killer.kills.length < input.kills) {
    await killer.killOne(life)
    life = service.start()
  }
  world.faults.stop()
  world.nodeFaults.stop()
  await life.settled
  input.progress?.('the last start; everything under way is brought to an end')
  await crowd.leave()
  const undecided = await untilDecided(() => readRows(service), input.deathWatchMs)
  const fetchedLate = await fetchUnclaimed(counter, () => readRows(service), crowd.purchases)
  const reportedRevenue = await readRevenue(counter)
  stopWatching()
  await life.kill('SIGTERM')
  return judge(scene, terms, evidence, crowd, reportedRevenue, { undecided, fetchedLate })
}

const mayVanish =
  ({ input, killer }: Scene) =>
  ({ network }: { network: keyof typeof LAST_VANISHING }) =>
    input.kills - killer.kills.length > LAST_VANISHING[network]

const readRows = ({ dataDir }: Service): LedgerRow[] =>
  readLedger(ledgerPath(dataDir), (db) => db.prepare(PAYMENT_ROWS).all()).map(parseRow)

function watch({ input, killer }: Scene, evidence: ChainEvidence, crowd: Crowd): () => void {
  const stopLooking = systemClock.every(
    CHAIN_LOOK_EVERY_MS,
    () => void evidence.look().catch(() => undefined),
  )
  const stopTelling = systemClock.every(PROGRESS_EVERY_MS, () => {
    const delivered = crowd.purchases.filter(({ isDelivered }) => isDelivered).length
    input.progress?.(
      `${killer.kills.length}/${input.kills} kills, ${crowd.purchases.length} purchases, ${delivered} delivered, ${crowd.reuses()} reuses`,
    )
  })
  return () => {
    stopLooking()
    stopTelling()
  }
}

async function judge(
  { world, service, killer, counter }: Scene,
  { prices }: Terms,
  chain: ChainEvidence,
  crowd: Crowd,
  reportedRevenue: bigint | undefined,
  counted: { undecided: number; fetchedLate: number },
): Promise<TortureOutcome> {
  const { sightings, insults, answers } = counter
  const { purchases } = crowd
  const rows = readRows(service)
  const transfers = await chain.transfers()
  const held = await chain.held()
  const evidence = { nowMs: Date.now(), transfers, held, rows, sightings, purchases, prices, reportedRevenue }
  const violations = [
    ...findViolations(evidence),
    ...insults.map((subject) => ({ rule: 'an answer nobody should get', subject })),
    ...service.crashes.map((subject) => ({ rule: 'the service ended by itself', subject })),
  ]
  // Throws on a file that is not whole.
  inspectLedger(ledgerPath(service.dataDir))
  return {
    violations,
    kills: killer.kills,
    startsMs: service.startsMs,
    answers,
    dir: world.dir,
    revenue: {
      moved: transfers.reduce((total, { amount }) => total + amount, 0n),
      reported: reportedRevenue,
    },
    chargeTimes: measureChargeTimes({
      ...{ transfers, rows, counter, chargedAtMs: world.chargedAtMs },
      honest: new Set(
        purchases.flatMap(({ kind, payments }) => (kind === 'honest' ? payments.map(({ id }) => id) : [])),
      ),
    }),
    counts: {
      purchases: purchases.length,
      'of them vanished': purchases.filter(({ kind }) => kind === 'vanishing').length,
      delivered: purchases.filter(({ isDelivered }) => isDelivered).length,
      'fetched after the end': counted.fetchedLate,
      transfers: transfers.length,
      'of them on Solana': transfers.filter(({ transaction }) => !transaction.startsWith('0x')).length,
      'settled rows': rows.filter(({ state }) => state === 'settled').length,
      'void rows': rows.filter(({ state }) => state === 'void').length,
      'open rows, in time': counted.undecided,
      'reuse attempts': crowd.reuses(),
      'second goods': [...sightings.values()].filter(({ length }) => length > 1).length,
      'facilitator calls': world.faults.calls(),
      'of them spoilt': world.faults.spoilt(),
      'node calls': world.nodeFaults.calls(),
      'of those spoilt': world.nodeFaults.spoilt(),
    },
  }
}
