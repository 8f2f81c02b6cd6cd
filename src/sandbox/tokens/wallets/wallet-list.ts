import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { EXCHANGES } from './exchanges.ts'
import type { WalletSpec } from './make-wallet.ts'
import { PEOPLE } from './people.ts'
import { WHALES } from './whales.ts'

/** Those whose wallets the simulation knows by name; any other address is an empty one. */
export const WALLET_LIST: readonly WalletSpec[] = [...EXCHANGES, ...WHALES, ...PEOPLE]

/** One wallet is always new: it was first used a few hours before today. */
export function asOf(wallet: WalletSpec, nowMs: number): WalletSpec {
  if (wallet.name !== 'fresh') return wallet
  const firstSeenMs = Math.floor(nowMs / DAY_MS) * DAY_MS - 6 * HOUR_MS
  return { ...wallet, firstSeenMs }
}
