import type { Config } from '../../config/config.ts'
import type { WorldFacts } from '../../sandbox/world/world-file.ts'
import { hasOwnChains } from '../payment-rails.ts'

/** The mode, where there is something to simulate in it; throws where all is real, or somebody else's. */
export function refuseMode(config: Pick<Config, 'mode' | 'chains'>): WorldFacts['mode'] {
  const { mode } = config
  if (mode === 'live')
    throw new Error(
      'nothing is simulated in live mode: start ./tollbook serve without it, or set TOLLBOOK_MODE to sandbox or paper',
    )
  if (mode === 'paper' && hasOwnChains(config))
    throw new Error(
      'nothing is left to run: paper mode has real venues, and TOLLBOOK_EVM_RPC_URL or TOLLBOOK_SVM_RPC_URL names the chains: start ./tollbook serve without ./tollbook sandbox',
    )
  return mode
}
