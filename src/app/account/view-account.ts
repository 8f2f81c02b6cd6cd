import { describeError } from '../../core/describe-error.ts'
import type { Position } from '../../upstreams/polymarket/account-activity.ts'
import type { Trading } from '../../upstreams/polymarket/trading/trading.ts'
import { TradingError } from '../../upstreams/polymarket/trading/trading-error.ts'
import type { Geoblock } from '../../upstreams/polymarket/web/wire.ts'
import type { AccountClients } from './account-clients.ts'

/** What was answered, or why it is not known. */
export type Reading<T> = { value: T } | { fault: string }

export type AccountMoney = { collateralE6: bigint; allowanceE6: bigint }

/** The operator's account as the venue tells it. */
export type AccountView = {
  owner: string
  /** The deposit wallet. */
  wallet: string
  place: Reading<Geoblock>
  isDeployed: Reading<boolean>
  /** `no key`: the venue has no API key for the owner yet, and tells nothing without one. */
  money: Reading<AccountMoney | 'no key'>
  positions: Reading<readonly Position[]>
}

type Clients = Pick<AccountClients, 'account' | 'reading' | 'relayer' | 'web' | 'data'>

/** Changes nothing. */
export async function viewAccount({ account, reading, relayer, web, data }: Clients): Promise<AccountView> {
  const { owner, wallet } = account
  const [place, isDeployed, money, positions] = await Promise.all([
    read(web.geoblock()),
    read(relayer.isDeployed()),
    read(readMoney(reading)),
    read(data.positions(wallet, 'OPEN')),
  ])
  return { owner: owner.address, wallet, place, isDeployed, money, positions }
}

async function readMoney(trading: Trading): Promise<AccountMoney | 'no key'> {
  try {
    // Whatever is asked first derives the key.
    await trading.serverTimeMs()
  } catch (error) {
    if (error instanceof TradingError && (error.fault === 'refused' || error.fault === 'not_found'))
      return 'no key'
    throw error
  }
  // The venue counts what a wallet has only after it was asked to look. Nothing else happens by it.
  await trading.connect()
  return trading.balance()
}

async function read<T>(asked: Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await asked }
  } catch (error) {
    return { fault: describeError(error) }
  }
}
