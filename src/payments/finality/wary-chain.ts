import type { Payment } from '../gate/payment.ts'
import type { Chain, ChainOutcome } from '../gate/ports.ts'
import type { FinalChain } from './ports.ts'
import type { WaryPayers } from './wary-payers.ts'

type Ports = { chain: Chain & FinalChain; wary: Pick<WaryPayers, 'has'> }

/**
 * The referee for those who wait for finality: what a chain took back from a payer before counts next time when it
 * cannot be taken back. For collecting and reconciling only: whether a payment moved at all is another question.
 */
export function createWaryChain({ chain, wary }: Ports): Chain {
  return {
    ready: chain.ready,
    async outcome(payment, hint, claimedAtMs) {
      const outcome = await chain.outcome(payment, hint, claimedAtMs)
      if (outcome.kind !== 'paid' || !wary.has(payment.payer)) return outcome
      return finalOnly(chain, payment, outcome.transaction, claimedAtMs)
    },
  }
}

async function finalOnly(
  chain: FinalChain,
  payment: Payment,
  transaction: string,
  claimedAtMs = 0,
): Promise<ChainOutcome> {
  // Not settled yet: nothing that is missing is undone.
  const settledAtMs = Number.POSITIVE_INFINITY
  const [review] = await chain.review(payment.network, [{ payment, transaction, claimedAtMs, settledAtMs }])
  if (review?.kind === 'final') return { kind: 'paid', transaction: review.transaction }
  return review?.kind === 'undone' ? { kind: 'open' } : { kind: 'open', isSeen: true }
}
