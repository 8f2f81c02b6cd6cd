import type { Address } from 'viem'
import { POLYMARKET_CONTRACTS } from '../../../upstreams/polymarket/relayer/addresses.ts'
import type { Custody } from '../custody.ts'
import type { OrderState, PredictionVenue, VenueOrder } from '../venue.ts'
import type { AccountStore } from './account-store.ts'
import { isSameAddress } from './api-keys.ts'
import { Refusal } from './refusal.ts'

/** A taker pays shares × this × price × (1 − price). */
const TAKER_FEE = 0.07
const ONE_E4 = 10_000

export type Balances = {
  /** Throws where the wallet cannot pay for the order beside those that it has. */
  check(order: VenueOrder): Promise<void>
}

type Input = { venue: PredictionVenue; custody: Custody; store: AccountStore }

/** Nothing is stored here: what is reserved follows from open orders and from fills that are being settled. */
export function createBalances({ venue, custody, store }: Input): Balances {
  const settling = (wallet: string) =>
    store.trades.all().filter((trade) => trade.status === 'MATCHED' && isSameAddress(trade.wallet, wallet))
  const open = (wallet: string) =>
    venue.orders(wallet).filter(({ status }) => status === 'live' || status === 'delayed')

  const checkBuy = async (order: VenueOrder) => {
    const wallet = order.wallet as Address
    const [balance, allowances] = await Promise.all([
      custody.collateralOf(wallet),
      custody.allowancesOf(wallet),
    ])
    const allowance = allowances[POLYMARKET_CONTRACTS.exchange] ?? 0n
    const reserved = sum(open(wallet).filter(isBuy).map(costOfRest))
    const inFlight = sum(
      settling(wallet)
        .filter(isBuy)
        .map(({ collateralE6, feeE6 }) => collateralE6 + feeE6),
    )
    const asks = venue.book(order.tokenId)?.asks ?? []
    const needed = BigInt(costOf(order, asks[0]?.[0])) + reserved + inFlight
    if (balance < needed || allowance < needed) throw new Refusal(400, 'not enough balance / allowance')
  }
  const checkSell = async (order: VenueOrder) => {
    const wallet = order.wallet as Address
    const [[held = 0n], isAllowed] = await Promise.all([
      custody.sharesOf(wallet, [BigInt(order.tokenId)]),
      custody.mayMoveShares(wallet),
    ])
    const isSame = (other: { side: string; tokenId: string }) =>
      other.side === 'SELL' && other.tokenId === order.tokenId
    const reserved = sum(
      open(wallet)
        .filter(isSame)
        .map(({ sharesE6, filledE6 }) => sharesE6 - filledE6),
    )
    const inFlight = sum(
      settling(wallet)
        .filter(isSame)
        .map(({ sharesE6 }) => sharesE6),
    )
    if (!isAllowed || held - reserved - inFlight < BigInt(order.sharesE6))
      throw new Refusal(400, 'not enough balance / allowance')
  }
  return { check: (order) => (isBuy(order) ? checkBuy(order) : checkSell(order)) }
}

const isBuy = ({ side }: { side: string }) => side === 'BUY'
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n)

/** What it costs at most, with the fee where it meets an order that rests. */
function costOf({ priceE4, sharesE6, spendE6 }: VenueOrder, bestAskE4: number | undefined): number {
  const isTaking = bestAskE4 !== undefined && bestAskE4 <= priceE4
  if (spendE6 === undefined) return costAt(priceE4, sharesE6, isTaking)
  // The cheaper the shares, the more of them are bought, and the higher is the fee.
  const price = (bestAskE4 ?? priceE4) / ONE_E4
  return Math.ceil(spendE6 * (1 + (isTaking ? TAKER_FEE * (1 - price) : 0)))
}

const costOfRest = ({ priceE4, sharesE6, filledE6, spendE6, status }: OrderState): number =>
  status === 'delayed' && spendE6 !== undefined
    ? Math.ceil(spendE6 * (1 + TAKER_FEE))
    : costAt(priceE4, sharesE6 - filledE6, status === 'delayed')

function costAt(priceE4: number, sharesE6: number, isTaking: boolean): number {
  const price = priceE4 / ONE_E4
  return Math.ceil(sharesE6 * price * (1 + (isTaking ? TAKER_FEE * (1 - price) : 0)))
}
