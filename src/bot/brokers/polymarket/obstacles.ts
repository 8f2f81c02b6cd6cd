import { describeError } from '../../../core/describe-error.ts'
import type { RelayerClient } from '../../../upstreams/polymarket/relayer/client.ts'
import type { Trading } from '../../../upstreams/polymarket/trading/trading.ts'
import { TradingError } from '../../../upstreams/polymarket/trading/trading-error.ts'
import type { PolyWeb } from '../../../upstreams/polymarket/web/client.ts'
import type { Obstacle } from '../broker.ts'

export type ObstaclePorts = {
  trading: Pick<Trading, 'connect' | 'balance'>
  relayer: Pick<RelayerClient, 'isDeployed'>
  web: Pick<PolyWeb, 'geoblock'>
}

/** Less buys nothing at the venue. */
const LEAST_CASH_E6 = 1_000_000n
const DOCTOR = 'run ./tollbook doctor'
const OPEN = 'run ./tollbook account open'

/** What is not known stands in the way as well: no order is sent on a guess. */
export async function findObstacles({ trading, relayer, web }: ObstaclePorts): Promise<readonly Obstacle[]> {
  const found = await Promise.all([checkPlace(web), checkWallet(relayer), checkMoney(trading)])
  return found.flat()
}

async function checkPlace(web: ObstaclePorts['web']): Promise<readonly Obstacle[]> {
  try {
    const { isBlocked, country } = await web.geoblock()
    const text = `Polymarket takes no orders from ${country}, where this machine is: run the service where it may trade`
    return isBlocked ? [{ code: 'geoblocked', text }] : []
  } catch (error) {
    return unknown('geoblock_unknown', 'whether Polymarket takes orders from here', error)
  }
}

async function checkWallet(relayer: ObstaclePorts['relayer']): Promise<readonly Obstacle[]> {
  try {
    if (await relayer.isDeployed()) return []
    return [{ code: 'no_wallet', text: `the deposit wallet is not deployed: ${OPEN}` }]
  } catch (error) {
    return unknown('wallet_unknown', 'whether the deposit wallet is deployed', error)
  }
}

async function checkMoney(trading: ObstaclePorts['trading']): Promise<readonly Obstacle[]> {
  try {
    // The venue counts what a wallet has only after it was asked to look.
    await trading.connect()
    const { collateralE6, allowanceE6 } = await trading.balance()
    const neededE6 = collateralE6 > LEAST_CASH_E6 ? collateralE6 : LEAST_CASH_E6
    return [
      ...(collateralE6 < LEAST_CASH_E6
        ? [
            {
              code: 'no_cash',
              text: 'the deposit wallet has less than 1 USD: send pUSD to it, ./tollbook account shows its address',
            },
          ]
        : []),
      ...(allowanceE6 < neededE6
        ? [{ code: 'no_allowance', text: `the exchange may not use what the wallet has: ${OPEN}` }]
        : []),
    ]
  } catch (error) {
    if (error instanceof TradingError && error.fault === 'unauthorized')
      return [{ code: 'credentials_refused', text: `Polymarket does not take our key: ${DOCTOR}` }]
    return unknown('balance_unknown', 'what the deposit wallet has', error)
  }
}

const unknown = (code: string, what: string, error: unknown): readonly Obstacle[] => [
  { code, text: `${what} is not known (${describeError(error)}): wait, or ${DOCTOR}` },
]
