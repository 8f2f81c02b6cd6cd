import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Config, ConfigError } from '../config/config.ts'
import { depositWalletOf } from '../upstreams/polymarket/relayer/deposit-wallet.ts'
import type { OutsideWorld } from './outside-world.ts'

type Account = NonNullable<Config['polymarket']>

/** The operator's account at the venue: what signs for it, and the deposit wallet that holds its money. */
export type PolyAccount = Account & { owner: ReturnType<typeof privateKeyToAccount>; wallet: Address }

/** The one that orders are placed with, or why there is none and what to set. */
export function findPolyAccount(
  { mode, polymarket, polyWallet }: Pick<Config, 'mode' | 'polymarket' | 'polyWallet'>,
  { prediction }: Pick<OutsideWorld, 'prediction'>,
): { account: PolyAccount } | { whyNot: string } {
  if (mode === 'paper')
    return { whyNot: 'paper mode sends no real order: start the service with TOLLBOOK_MODE=live' }
  const account = mode === 'sandbox' ? prediction : polymarket
  if (!account) return { whyNot: mode === 'sandbox' ? NO_CHAIN : NO_ACCOUNT }
  const owner = privateKeyToAccount(account.ownerKey.reveal() as Hex)
  const wallet = depositWalletOf(owner.address)
  // Otherwise the history would be of one account and the orders of another.
  if (polyWallet !== undefined && polyWallet !== wallet.toLowerCase())
    throw new ConfigError([
      `TOLLBOOK_POLY_WALLET: the deposit wallet of TOLLBOOK_POLY_OWNER_KEY is ${wallet}; set it to that or remove it`,
    ])
  return { account: { ...account, owner, wallet } }
}

const NO_CHAIN =
  'the simulated venue has no accounts without its local chain: put anvil on the PATH (see docs/runbook.md), then start again'
const NO_ACCOUNT =
  'the service has no account at Polymarket: set TOLLBOOK_POLY_OWNER_KEY, TOLLBOOK_POLY_RELAYER_KEY and TOLLBOOK_POLY_RELAYER_ADDRESS, then start again'
