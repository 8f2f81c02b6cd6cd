import { silentLog } from '../../src/core/log.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import type { PaymentBook } from '../../src/ledger/ports/payment-book.ts'
import type { FacilitatorPool } from '../../src/payments/facilitators/facilitators.ts'
import type { FacilitatorMember } from '../../src/payments/facilitators/members/member.ts'
import type { Chain } from '../../src/payments/gate/ports.ts'
import type { Sell } from '../../src/payments/gate/sell.ts'
import type { Seeded } from '../../src/testing/seeded.ts'
import type { SimulatedChain } from './chain.ts'
import type { Disk } from './disk.ts'
import { createDoubts } from './doubts.ts'
import type { SimulatedFacilitator } from './facilitator.ts'
import type { Faults } from './faults.ts'
import type { GateCode } from './gate-code.ts'
import type { Timeline, Trace } from './timeline.ts'

export type ServiceWorld = {
  timeline: Timeline
  random: Seeded
  faults: Faults
  chain: SimulatedChain
  facilitators: readonly SimulatedFacilitator[]
  disk: Disk
  code: GateCode
  /** Claims live in the process, as where it has the ledger to itself; else in the ledger, as where several share it. */
  holdsClaims: boolean
  trace: Trace
}

export type Process = {
  isAlive: () => boolean
  isUp: boolean
  bootId: string
  sell: Sell
  book: PaymentBook
  pool: FacilitatorPool
  clock: Clock
  start(): Promise<void>
}

/** The composition root in small: the real gate on simulated ports. */
export function createProcess(
  world: ServiceWorld,
  bootId: string,
  skewMs: number,
  resent: string[],
  isAlive: () => boolean,
): Process {
  const { timeline, random, disk, code } = world
  let ids = 0
  const clock = clockFor(timeline, skewMs, isAlive)
  const pause = (ms: number) => guarded(isAlive, () => timeline.sleep(random.between(0, ms)))
  const stored = code.createMemoryPaymentBook({ commit: disk.commitFor(isAlive), rows: disk.rows })
  const delayed = {
    ...stored,
    find: async (key: string) => {
      await pause(2)
      return stored.find(key)
    },
    unfinished: async (exceptBootId: string) => {
      await pause(2)
      return stored.unfinished(exceptBootId)
    },
  }
  const book = world.holdsClaims ? code.holdClaims(delayed) : delayed
  const { referee } = world.chain
  const chain: Chain = { outcome: (payment, hint) => guarded(isAlive, () => referee.outcome(payment, hint)) }
  const receipts = {
    sign: async (row: { id: string }, transaction: string, nowMs: number) => {
      await pause(2)
      return `receipt:${row.id}:${transaction}:${nowMs}`
    },
  }
  const doubts = createDoubts(resent)
  const members = world.facilitators.map(({ member }) => doubts.watch(guardMember(member, isAlive)))
  const pool = doubts.perRound(
    code.createFacilitators({ clock, log: silentLog, members, random: random.fraction }),
  )
  const records = { clock, book, receipts, log: silentLog, chain }
  const collect = code.createCollect({ ...records, facilitators: pool })
  const reconcile = code.createReconcile({ ...records, bootId })
  const process: Process = {
    isAlive,
    isUp: false,
    bootId,
    clock,
    pool,
    book,
    sell: code.createSell({
      clock,
      random: { id: () => `${bootId}-${++ids}` },
      book,
      facilitators: pool,
      chain,
      collect,
      bootId,
    }),
    async start() {
      await reconcile.recover()
      process.isUp = true
      const never = new AbortController().signal
      void reconcile.run(never)
      void pool.run(never)
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

/** What a dead process waits for never comes. */
export function guarded<T>(isAlive: () => boolean, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (!isAlive()) return
    run().then(
      (value) => isAlive() && resolve(value),
      (error) => isAlive() && reject(error),
    )
  })
}

function guardMember(member: FacilitatorMember, isAlive: () => boolean): FacilitatorMember {
  return {
    name: member.name,
    verify: (request, signal) => guarded(isAlive, () => member.verify(request, signal)),
    settle: (request, signal) => guarded(isAlive, () => member.settle(request, signal)),
    supported: (signal) => guarded(isAlive, () => member.supported(signal)),
  }
}
