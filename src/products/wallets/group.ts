import type { Group } from '../../catalog/group.ts'
import { walletScan } from './scan.ts'
import type { WalletServices } from './services.ts'
import { walletPortfolio } from './wallet.ts'

export const walletGroup: Group<WalletServices> = {
  tag: 'wallets',
  about: 'Wallets on Base: what they hold, what they do, whom they deal with, what is dangerous about them.',
  endpoints: [walletPortfolio, walletScan],
}
