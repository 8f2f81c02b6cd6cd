import { toDecimal, type Usd } from '../../../core/money.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { createTrading } from '../../../upstreams/polymarket/trading/create-trading.ts'
import type { Trading } from '../../../upstreams/polymarket/trading/trading.ts'
import { TradingError } from '../../../upstreams/polymarket/trading/trading-error.ts'
import { type Check, type Finding, failure, ok, warning } from '../check.ts'
import { createEndingClock } from '../ending-clock.ts'
import { findLiveAccount, type TradingSettings } from './live-account.ts'

/** Less buys nothing at the venue. */
const LEAST_CASH_E6 = 1_000_000n
const APPROVE = 'run ./tollbook account open, which lets the exchange use it'

/** The API key, the money and the approvals of the account that real orders are sent with. No key is made. */
export function tradingAccountCheck(config: TradingSettings, clock: Clock): Check {
  const { CLOB: clobUrl } = config.upstreams
  return {
    name: 'trading-account',
    group: 'prediction',
    advice: `look at the lines clob and clock, and whether TOLLBOOK_POLY_OWNER_KEY is the key of an account at Polymarket`,
    async run(signal) {
      const live = findLiveAccount(config)
      if ('finding' in live) return live.finding
      const { wallet, ownerKey } = live.account
      if (config.polyWallet !== undefined && config.polyWallet !== wallet.toLowerCase())
        return failure(
          `TOLLBOOK_POLY_WALLET is not the deposit wallet of TOLLBOOK_POLY_OWNER_KEY, which is ${wallet}`,
          'set TOLLBOOK_POLY_WALLET to that or remove it: the service does not start otherwise',
        )
      const clockHere = createEndingClock(clock, signal)
      const trading = createTrading({
        clobUrl,
        ownerKey,
        depositWallet: wallet,
        clock: clockHere,
        makesNoKey: true,
      })
      return (await findKeyFault(trading)) ?? judgeMoney(trading, wallet)
    },
  }
}

/** Whatever is asked first derives the key. */
async function findKeyFault(trading: Trading): Promise<Finding | undefined> {
  try {
    await trading.serverTimeMs()
    return undefined
  } catch (error) {
    if (!(error instanceof TradingError)) throw error
    if (error.fault === 'refused' || error.fault === 'not_found')
      return warning(
        `Polymarket has no API key for the owner yet (${error.message})`,
        'where the account is new run ./tollbook account open, which makes it; else look at TOLLBOOK_POLY_OWNER_KEY',
      )
    throw error
  }
}

async function judgeMoney(trading: Trading, wallet: string): Promise<Finding> {
  // The venue counts what a wallet has only after it was asked to look. Nothing else happens by it.
  await trading.connect()
  const { collateralE6, allowanceE6 } = await trading.balance()
  const cash = `${wallet} has ${toDecimal(collateralE6 as Usd)} pUSD`
  if (collateralE6 < LEAST_CASH_E6)
    return failure(`${cash}, and an order takes at least 1`, `send pUSD on Polygon to ${wallet}`)
  if (allowanceE6 < collateralE6)
    return failure(
      `${cash}, of which the exchange may use ${toDecimal((allowanceE6 > 0n ? allowanceE6 : 0n) as Usd)}`,
      APPROVE,
    )
  return ok(`the API key is there, ${cash}, and the exchange may use it`)
}
