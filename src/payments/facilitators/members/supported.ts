import { createBoundedCache } from '../../../core/bounded-cache.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { within } from '../within.ts'
import type { FacilitatorMember, Fault, SupportedNetwork } from './member.ts'

const READ_WITHIN_MS = 5_000
/** However often calls fail, `/supported` is asked at most this often. */
const READ_AT_MOST_EVERY_MS = 10_000
/** Facilitators rotate fee payers; payments signed for an earlier one are still theirs to settle. Some name hundreds. */
const FEE_PAYERS_REMEMBERED = 2_000

export type FaultAt = { fault: Fault; atMs: number }

/** What one facilitator says it settles. The last good answer stays valid while it cannot be asked. */
export type Supported = {
  /** One read at a time; concurrent callers share it. */
  read(): Promise<void>
  /** Reads unless it was read a moment ago. */
  readSoon(): Promise<void>
  /** Of those that payments are offered on. Undefined until the first good answer. */
  networks(): readonly SupportedNetwork[] | undefined
  ownsFeePayer(network: string, feePayer: string): boolean
  readAtMs(): number | undefined
  /** Whether the last read got no answer, or an empty one. */
  isOverdue(): boolean
  /** Why it got none, and when that was. */
  fault(): FaultAt | undefined
}

type Ports = {
  clock: Clock
  member: FacilitatorMember
  /** That payments are offered on. Most facilitators list many more, which nobody uses here. */
  networks?: readonly string[] | undefined
}

export function createSupported({ clock, member, networks: offered }: Ports): Supported {
  let known: readonly SupportedNetwork[] | undefined
  let readAtMs: number | undefined
  let triedAtMs = Number.NEGATIVE_INFINITY
  let fault: FaultAt | undefined
  let isEmpty = false
  let underWay: Promise<void> | undefined
  const feePayers = createBoundedCache<string, true>({ capacity: FEE_PAYERS_REMEMBERED })
  const learn = (networks: readonly SupportedNetwork[]) => {
    known = networks.filter(({ network }) => offered?.includes(network) ?? true)
    readAtMs = clock.now()
    for (const { network, feePayers: named } of known) {
      // The one that is offered comes first, and is remembered longest.
      for (const feePayer of named.toReversed()) feePayers.set(`${network} ${feePayer}`, true)
    }
  }
  const ask = async () => {
    triedAtMs = clock.now()
    const reply = await within(clock, READ_WITHIN_MS, (signal) => member.supported(signal))
    fault = reply.kind === 'fault' ? { fault: reply.fault, atMs: clock.now() } : undefined
    // A facilitator that settles nothing at all is in trouble: what it said before stays valid.
    isEmpty = reply.kind === 'answer' && reply.answer.length === 0
    if (reply.kind === 'answer' && (!isEmpty || known === undefined)) learn(reply.answer)
    underWay = undefined
  }
  const read = () => {
    underWay ??= ask()
    return underWay
  }
  return {
    read,
    readSoon: () =>
      underWay ?? (clock.now() - triedAtMs < READ_AT_MOST_EVERY_MS ? Promise.resolve() : read()),
    networks: () => known,
    ownsFeePayer: (network, feePayer) => feePayers.get(`${network} ${feePayer}`) ?? false,
    readAtMs: () => readAtMs,
    isOverdue: () => readAtMs === undefined || fault !== undefined || isEmpty,
    fault: () => fault,
  }
}
