import type { Chain } from '../gate/ports.ts'

/** One referee for all networks: each payment is looked up on its own chain. */
export function createChain({ evm, svm }: { evm: Chain; svm: Chain | undefined }): Chain {
  return {
    async outcome(payment, hint) {
      const referee = payment.network.startsWith('eip155:') ? evm : svm
      if (!referee) throw new Error(`there is no node to ask about ${payment.network}`)
      return referee.outcome(payment, hint)
    },
  }
}
