import { createFairQueue } from '../../core/fair-queue.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createSingleFlight } from '../../upstreams/rules/single-flight.ts'
import { PAYER_LOOKS } from '../facilitators/look-at-payer.ts'
import type { Explain } from '../facilitators/verify.ts'
import { closed } from '../gate/failures.ts'
import type { Chain } from '../gate/ports.ts'
import type { Token } from './token.ts'

/** Why nobody can pay on a network, in words for everybody, and since when that is known. */
export type Closure = { why: string; sinceMs: number }

/** Whether the token itself lets buyers pay us, network by network. Where nobody knows, they can. */
export type Payable = {
  networks: readonly string[]
  /** By the newest look. */
  closureOf(network: string): Closure | undefined
  /** Looks, unless somebody did a moment ago. What cannot be seen stays as it was. */
  look(network: string): Promise<void>
  /** Throws 503 where nobody can pay; a network that was closed is looked at again first. */
  check(network: string): Promise<void>
  /** Why a good payment does not move, where the token says so. */
  explain: Explain
}
type Ports = { clock: Clock; tokens: ReadonlyMap<string, Token> }

/** However many buyers come to a closed network, the chain is asked no more often. */
const LOOK_AT_MOST_EVERY_MS = 1_000

export function createPayable({ clock, tokens }: Ports): Payable {
  const flights = createSingleFlight()
  const closures = new Map<string, Closure>()
  const lookedAtMs = new Map<string, number>()
  const queue = createFairQueue({ ...PAYER_LOOKS, clock, refuse: () => new Error('too many payers') })
  const note = (network: string, why: string | undefined) => {
    if (why === undefined) closures.delete(network)
    else closures.set(network, { why, sinceMs: closures.get(network)?.sinceMs ?? clock.now() })
  }
  const lookNow = (network: string) =>
    flights.join(network, tokens, async () => {
      lookedAtMs.set(network, clock.now())
      // A node that does not answer is told elsewhere.
      await tokens
        .get(network)
        ?.findClosure()
        .then(
          (why) => note(network, why),
          () => {},
        )
    })
  const look = async (network: string) => {
    const lastMs = lookedAtMs.get(network) ?? Number.NEGATIVE_INFINITY
    if (Math.abs(clock.now() - lastMs) >= LOOK_AT_MOST_EVERY_MS) await lookNow(network)
  }
  return {
    networks: [...tokens.keys()],
    closureOf: (network) => closures.get(network),
    look,
    async check(network) {
      if (closures.has(network)) await look(network)
      const closure = closures.get(network)
      if (closure) throw closed(network, closure.why)
    },
    async explain(payment) {
      const { network, payer } = payment
      // What was seen a moment ago does not explain what failed just now.
      await lookNow(network)
      const closure = closures.get(network)
      if (closure) return { kind: 'closed', why: closure.why }
      const token = tokens.get(network)
      const problem = token && queue.run(payer, () => token.findPayerProblem(payment))
      const reason = await problem?.catch(() => undefined)
      return reason && { kind: 'invalid', reason }
    },
  }
}

/** A chain on which nobody can pay us is not ready: nothing is sent there. */
export const withPayable = (chain: Chain, payable: Pick<Payable, 'check'>): Chain => ({
  ...chain,
  async ready(network, ms) {
    await chain.ready(network, ms)
    await payable.check(network)
  },
})
