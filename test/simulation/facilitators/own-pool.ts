import { silentLog } from '../../../src/core/log.ts'
import type { Clock } from '../../../src/core/time/clock.ts'
import type { FacilitatorPool } from '../../../src/payments/facilitators/facilitators.ts'
import type { LookAtPayer } from '../../../src/payments/facilitators/look-at-payer.ts'
import type { FacilitatorMember } from '../../../src/payments/facilitators/members/member.ts'
import type { Payment } from '../../../src/payments/gate/payment.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { SimulatedNodes } from '../chain/nodes.ts'
import type { GateCode } from '../gate-code.ts'
import type { SignedBook } from '../people/authorization.ts'
import type { Disk } from '../seller/disk.ts'
import { guarded } from '../seller/guarded.ts'
import type { Timeline } from '../timeline.ts'
import { createDoubts } from './doubts.ts'
import type { SimulatedFacilitator } from './facilitator.ts'
import { watchManners } from './manners.ts'

/** What a process does wrong towards facilitators. */
export type PoolFaults = {
  /** Payments that were sent to a second facilitator while the first may have acted. */
  resent: string[]
  /** Calls that a facilitator had asked not to get, or more than the limits that we set ourselves. */
  rude: string[]
  /** Payments that were sent when nobody would buy their reply any more. */
  late: string[]
}
/** A sale may take three quarters of a minute, and a second try follows within seconds; clocks of processes differ. */
const LATE_AFTER_MS = 60_000
type Input = {
  code: GateCode
  clock: Clock
  timeline: Timeline
  random: Seeded
  nodes: SimulatedNodes
  signed: SignedBook
  facilitators: readonly SimulatedFacilitator[]
  wrongs: PoolFaults
  lookAtPayer: LookAtPayer
  isAlive: () => boolean
  disk: Disk
}

/** The real pool of one process over the simulated facilitators, watched. */
export function createOwnPool(input: Input): FacilitatorPool {
  const { code, clock, timeline, random, nodes, signed, facilitators, wrongs, lookAtPayer, isAlive } = input
  // What was delivered and undone with its block is sent again whenever that is seen.
  const isLate = ({ key }: Payment) => {
    const row = input.disk.rows.get(key)
    return row?.state === 'settling' && timeline.now() > row.claimedAtMs + LATE_AFTER_MS
  }
  const doubts = createDoubts(signed, wrongs.resent)
  const members = facilitators.map(({ member }) =>
    watchManners(timeline, doubts.watch(guardMember(member, isAlive)), wrongs.rude),
  )
  const pool = doubts.perRound(
    code.createFacilitators({ clock, log: silentLog, members, random: random.fraction, lookAtPayer }),
  )
  return {
    ...pool,
    settle(payment, failedAt) {
      nodes.noteSettle(payment.network, payment.key)
      if (isLate(payment)) wrongs.late.push(payment.key)
      return pool.settle(payment, failedAt)
    },
  }
}

function guardMember(member: FacilitatorMember, isAlive: () => boolean): FacilitatorMember {
  return {
    ...member,
    verify: (request, signal) => guarded(isAlive, () => member.verify(request, signal)),
    settle: (request, signal) => guarded(isAlive, () => member.settle(request, signal)),
    supported: (signal) => guarded(isAlive, () => member.supported(signal)),
  }
}
