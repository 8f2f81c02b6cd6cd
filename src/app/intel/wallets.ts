import type { Clock } from '../../core/time/clock.ts'
import type { TokenFactsReader } from '../../intel/tokens/facts/token-facts.ts'
import type { WalletPorts } from '../../intel/wallets/facts/wallet-ports.ts'
import { createWalletAnalyst, type WalletAnalyst } from '../../intel/wallets/wallet-analyst.ts'
import { createWalletFigures } from '../../intel/wallets/wallet-figures.ts'
import { createWalletLookup, type WalletLookup } from '../../intel/wallets/wallet-lookup.ts'
import { findPublicExchange } from '../../intel/whales/labels.ts'
import type { FindExchange } from '../../intel/whales/transfer.ts'

/** What handlers may use of the wallets on Base. */
export type OpenWallets = {
  wallets: WalletAnalyst
  walletLookup: WalletLookup
}

type Ports = {
  chain: WalletPorts['chain']
  /** False: what only a node tells is missing. */
  hasNode: boolean
  explorer: WalletPorts['explorer']
  history: WalletPorts['history']
  tokens: Pick<TokenFactsReader, 'readOne'>
  findExchange?: FindExchange | undefined
  clock: Clock
  /** Replaced in tests only. */
  random?: () => number
}

/** Asked on demand: the sources end with their hosts, the chain with whoever opened it. */
export function openWallets(given: Ports): OpenWallets {
  const { chain, hasNode, explorer, history, tokens, clock, random = Math.random } = given
  const findExchange = given.findExchange ?? findPublicExchange
  const figures = createWalletFigures({
    ports: { chain, explorer, history },
    tokens,
    findExchange: (address) => findExchange('base', address),
    clock,
    random,
  })
  return {
    wallets: createWalletAnalyst({ figures, clock, random }),
    walletLookup: createWalletLookup({ chain, explorer, clock, hasNode }),
  }
}
