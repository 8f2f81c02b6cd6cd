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
  /** Reads of the chain. */
  rpcFailure: number
  rpcLag: number
  /** Ours. */
  handlerFailure: number
  storeFailure: number
  /** Between us and the buyer. */
  lostReply: number
}

/** A quarter of the schedules run without faults, so that crashes alone are seen too. */
export function drawFaults(random: Seeded): Faults {
  const level = random.pick([0, 0.3, 1, 1])
  const p = (probability: number) => probability * level
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
    rpcFailure: p(0.12),
    rpcLag: random.chance(0.2) ? p(0.9) : p(0.2),
    handlerFailure: p(0.06),
    storeFailure: random.chance(0.3) ? p(0.03) : 0,
    lostReply: p(0.1),
  }
}

export function stopFaults(faults: Faults): void {
  for (const name of Object.keys(faults) as (keyof Faults)[]) faults[name] = 0
}
