import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Config } from '../../../config/config.ts'
import { depositWalletOf } from '../../../upstreams/polymarket/relayer/deposit-wallet.ts'
import { type Finding, skipped } from '../check.ts'

export type TradingSettings = Pick<Config, 'mode' | 'polymarket' | 'polyWallet' | 'upstreams'>
type Account = NonNullable<Config['polymarket']> & { wallet: Address }

/** The account that real orders are sent with, or what is missing for it. */
export function findLiveAccount({
  mode,
  polymarket,
}: TradingSettings): { account: Account } | { finding: Finding } {
  if (mode !== 'live') return { finding: skipped(`${mode} mode sends no real order`) }
  if (!polymarket)
    return {
      finding: skipped(
        'no account is set: the bot trades on paper only',
        'for live trading set TOLLBOOK_POLY_OWNER_KEY, TOLLBOOK_POLY_RELAYER_KEY and TOLLBOOK_POLY_RELAYER_ADDRESS',
      ),
    }
  const owner = privateKeyToAccount(polymarket.ownerKey.reveal() as Hex)
  return { account: { ...polymarket, wallet: depositWalletOf(owner.address) } }
}
