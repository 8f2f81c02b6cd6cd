import type { WalletAnalyst } from '../../intel/wallets/wallet-analyst.ts'
import type { WalletLookup } from '../../intel/wallets/wallet-lookup.ts'

export type WalletServices = {
  wallets: WalletAnalyst
  walletLookup: WalletLookup
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
}
