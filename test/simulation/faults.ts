import type { Seeded } from '../../src/testing/seeded.ts'

/** Probabilities per call unless a name says otherwise. */
export type Faults = {
  /** On the way to and from a facilitator. */
  dropRequest: number
  dropReply: number
  lateReply: number
  edge: number
  errorBefore: number
  errorAfter: number
  unparsable: number
  /** What a facilitator does or says wrongly. */
  doubleSubmit: number
  pending: number
  optimistic: number
  lyingFailure: number
  lyingSuccess: number
  lyingInvalid: number
  lyingValid: number
  slowMining: number
  preempted: number
  /** Too many calls, whatever its own limit says. */
  rateLimited: number
  /** The chain itself: what was announced does not come, and blocks are undone, per second. */
  brokenPromise: number
  reorganisation: number
  /** Per transfer: the reorganisation that takes it back. */
  struck: number
  /** Reads of the chain. */
  rpcFailure: number
  rpcLag: number
  /** Per node: it lags for good, has no past, has lost its state, shows what is only announced, stands still, takes few calls at once. */
  laggard: number
  pruned: number
  forgetful: number
  hasty: number
  frozen: number
  smallBatches: number
  /** A batch is refused with a bare status by a node that has taken as long ones. */
  barred: number
  /** One of two nodes that comes back long after the other. */
  lost: number
  /** Ours. */
  handlerFailure: number
  storeFailure: number
  /** A commit that succeeds and is reported as failed. */
  storeDoubt: number
  /** Between us and the buyer. */
  lostReply: number
}

/** A quarter of the schedules run without faults, so that crashes alone are seen too. */
export function drawFaults(random: Seeded): Faults {
  const level = random.pick([0, 0.3, 1, 1])
  const p = (probability: number) => probability * level
  const isRestless = random.chance(0.4)
  return {
    dropRequest: p(0.06),
    dropReply: p(0.1),
    lateReply: p(0.06),
    edge: p(0.05),
    errorBefore: p(0.05),
    errorAfter: p(0.07),
    unparsable: p(0.03),
    doubleSubmit: p(0.1),
    pending: p(0.06),
    optimistic: p(0.15),
    lyingFailure: p(0.05),
    lyingSuccess: p(0.04),
    lyingInvalid: p(0.03),
    lyingValid: p(0.2),
    slowMining: p(0.15),
    preempted: random.chance(0.2) ? p(0.6) : 0,
    rateLimited: random.chance(0.25) ? p(0.25) : 0,
    brokenPromise: p(0.05),
    reorganisation: isRestless ? p(0.25) : 0,
    struck: isRestless ? p(0.3) : 0,
    rpcFailure: p(0.06),
    rpcLag: random.chance(0.2) ? p(0.9) : p(0.2),
    laggard: p(0.12),
    pruned: p(0.15),
    forgetful: p(0.25),
    hasty: p(0.5),
    frozen: p(0.06),
    smallBatches: p(0.4),
    barred: p(0.06),
    lost: p(0.1),
    handlerFailure: p(0.06),
    storeFailure: random.chance(0.3) ? p(0.03) : 0,
    storeDoubt: random.chance(0.3) ? p(0.04) : 0,
    lostReply: p(0.1),
  }
}

export function stopFaults(faults: Faults): void {
  for (const name of Object.keys(faults) as (keyof Faults)[]) faults[name] = 0
}
