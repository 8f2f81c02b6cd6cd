import type { Fault, Tamper } from '../../src/sandbox/facilitator/faults.ts'
import type { Seeded } from '../../src/testing/seeded.ts'

/** What goes wrong at both facilitators. Off, they are as good as facilitators get. */
export type Faults = {
  tamperFor(seeded: Seeded): Tamper
  /** Neither answers anybody for a while. */
  blackOut(ms: number): void
  /** From here on until `stop`. */
  start(): void
  stop(): void
  /** Resolves when the next settlement reaches a facilitator. */
  nextSettle(): Promise<void>
  calls(): number
  spoilt(): number
}

type Odds = readonly (readonly [share: number, make: (seeded: Seeded) => Fault])[]
const ANY_CALL: Odds = [
  [0.03, () => ({ kind: 'drop_request' })],
  [0.04, () => ({ kind: 'drop_reply' })],
  [0.02, () => ({ kind: 'fail_before' })],
  [0.03, () => ({ kind: 'fail_after' })],
  [0.01, () => ({ kind: 'garbage' })],
  [0.05, (seeded) => ({ kind: 'slow_reply', ms: seeded.between(100, 1_500) })],
  [0.03, (seeded) => ({ kind: 'slow_work', ms: seeded.between(100, 1_500) })],
]
/** Not at /verify: who says there that a payment is bad makes the payer sign another, and that is his right. */
const SETTLE_ONLY: Odds = [
  [0.01, () => ({ kind: 'lie_success' })],
  [0.01, () => ({ kind: 'lie_failure' })],
]

export function createFaults(): Faults {
  let isOn = false
  let darkUntilMs = 0
  let calls = 0
  let spoilt = 0
  let waiting: (() => void)[] = []
  const choose = (seeded: Seeded, path: string): Fault | undefined => {
    if (!isOn) return undefined
    if (Date.now() < darkUntilMs) return { kind: 'drop_request' }
    return pickFault(seeded, path === '/settle' ? [...ANY_CALL, ...SETTLE_ONLY] : ANY_CALL)
  }
  return {
    tamperFor: (seeded) => (call) => {
      calls++
      const fault = choose(seeded, call.path)
      if (fault) spoilt++
      if (call.path === '/settle') for (const tell of waiting.splice(0)) tell()
      return fault
    },
    blackOut(ms) {
      darkUntilMs = Date.now() + ms
    },
    start() {
      isOn = true
    },
    stop() {
      isOn = false
      waiting = []
    },
    nextSettle: () => new Promise((resolve) => void waiting.push(resolve)),
    calls: () => calls,
    spoilt: () => spoilt,
  }
}

function pickFault(seeded: Seeded, odds: Odds): Fault | undefined {
  let left = seeded.fraction()
  for (const [share, make] of odds) {
    if (left < share) return make(seeded)
    left -= share
  }
  return undefined
}
