import { createRateCounters } from '../../../src/access/rate-counters.ts'
import { silentLog } from '../../../src/core/log.ts'
import type { Clock } from '../../../src/core/time/clock.ts'
import type { PaymentBook } from '../../../src/ledger/ports/payment-book.ts'
import type { FacilitatorPool } from '../../../src/payments/facilitators/facilitators.ts'
import type { Bounds } from '../../../src/payments/gate/bounds/bounds.ts'
import type { OpenPayments } from '../../../src/payments/gate/bounds/open-payments.ts'
import type { ReadPayment } from '../../../src/payments/read/read-payment.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { SimulatedNodes } from '../chain/nodes.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import type { SimulatedFacilitator } from '../facilitators/facilitator.ts'
import { createOwnPool, type PoolFaults } from '../facilitators/own-pool.ts'
import type { Faults } from '../faults.ts'
import type { GateCode } from '../gate-code.ts'
import { EVM, PAY_TO, type SignedBook, SVM } from '../people/authorization.ts'
import type { Timeline, Trace } from '../timeline.ts'
import { openBooks } from './books.ts'
import type { Disk } from './disk.ts'
import type { Findings } from './findings.ts'
import { guarded } from './guarded.ts'
import { openChains } from './open-chains.ts'
import { type LoadWatch, watchLoad } from './watch-load.ts'

export type ServiceWorld = {
  timeline: Timeline
  random: Seeded
  faults: Faults
  chain: SimulatedChain
  nodes: SimulatedNodes
  signed: SignedBook
  facilitators: readonly SimulatedFacilitator[]
  disk: Disk
  findings: Findings
  code: GateCode
  /** How many processes share the ledger. */
  processes: number
  /** Claims live in the process, as where it has the ledger to itself; else in the ledger, as where several share it. */
  holdsClaims: boolean
  trace: Trace
}

export type Process = {
  isAlive: () => boolean
  isUp: boolean
  bootId: string
  read: ReadPayment
  bounds: Bounds
  open: OpenPayments
  load: LoadWatch
  book: PaymentBook
  pool: FacilitatorPool
  start(): Promise<void>
}

/** The composition root in small: the real reader, gate, referee and pool of facilitators on simulated ports. */
export function createProcess(
  world: ServiceWorld,
  bootId: string,
  skewMs: number,
  wrongs: PoolFaults,
  isAlive: () => boolean,
): Process {
  const { timeline, random, code } = world
  let ids = 0
  const clock = clockFor(timeline, skewMs, isAlive)
  const pause = (ms: number) => guarded(isAlive, () => timeline.sleep(random.between(0, ms)))
  const books = openBooks(world, isAlive, () => pause(2))
  const book = world.holdsClaims ? code.holdClaims(books.payments) : books.payments
  const { referee: chain, rpc } = openChains({ ...world, clock, isAlive })
  const receipts = {
    sign: async (row: { id: string }, transaction: string, nowMs: number) => {
      await pause(2)
      return `receipt:${row.id}:${transaction}:${nowMs}`
    },
  }
  const load = watchLoad(clock, (what) => wrongs.rude.push(what))
  const lookAtPayer = code.createLookAtPayer({ clock, rpc })
  const pool = load.watch(createOwnPool({ ...world, clock, isAlive, wrongs, lookAtPayer }))
  const terms = code.createTerms(PAY_TO, pool.feePayerOf, pool.mayPayFees)
  const counters = createRateCounters({ clock })
  const isKnown = (wallet: string) => process.bounds.isKnown(wallet)
  const signatures = code.createSmartWalletSignatures({ rpc, clock, counters, isKnown })
  const hints = code.createSettleHints()
  const open = code.createOpenPayments({ clock })
  const log = silentLog
  const wary = code.createWaryPayers(clock, books.finality)
  const waryChain = code.createWaryChain({ chain, wary })
  const leases = code.createLeases({ clock, log, book })
  const isShared = world.processes > 1
  const ports = {
    ...{ clock, book, receipts, log, chain: waryChain, hints, open, leases, isShared },
    facilitators: pool,
  }
  const reconcile = code.createReconcile(ports)
  const finality = code.createFinality({
    ...{ clock, log, chain, wary, book: books.finality, payments: book, facilitators: pool, isShared },
    networks: [EVM, SVM],
  })
  const names = { id: () => `${bootId}-${++ids}` }
  const sell = code.createSell({ ...ports, chain, random: names, collect: code.createCollect(ports) })
  const process: Process = {
    ...{ isAlive, bootId, pool, book, open, load },
    isUp: false,
    read: (...asked) => guarded(isAlive, () => code.reader({ clock, terms, signatures }, ...asked)),
    bounds: code.createBounds({
      ...{ clock, open, sell, counters, strangersPace: pool.strangersPace },
      customerOf: (client) => client,
    }),
    async start() {
      await reconcile.recover()
      await finality.recover()
      process.isUp = true
      const never = new AbortController().signal
      for (const worker of [reconcile, pool, finality, leases]) void worker.run(never)
    },
  }
  return process
}

function clockFor(timeline: Timeline, skewMs: number, isAlive: () => boolean): Clock {
  const after = (ms: number, task: () => void) => timeline.after(ms, () => isAlive() && task())
  return {
    now: () => timeline.now() + skewMs,
    after,
    every() {
      throw new Error('nothing in the gate runs by the clock alone')
    },
  }
}
