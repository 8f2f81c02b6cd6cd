import type { Address, Hex } from 'viem'
import { DEPOSIT_WALLET_TYPE, hashOrder } from '../../../upstreams/polymarket/trading/exchange-order.ts'
import { createSerialQueue, type SerialQueue } from '../../serial-queue.ts'
import type { Custody } from '../custody.ts'
import { OrderRefused, type OrderState, type PredictionVenue, type VenueMarket } from '../venue.ts'
import type { AccountStore } from './account-store.ts'
import { isSameAddress } from './api-keys.ts'
import { createBalances } from './balances.ts'
import { type PostedOrder, toOrderTerms } from './order-terms.ts'
import { Refusal } from './refusal.ts'
import type { Resolutions } from './resolutions.ts'
import type { AccountOrder, AccountTrade, ApiKey } from './rows.ts'
import type { Settlements } from './settlement.ts'

export type Placed = { order: AccountOrder; trades: readonly AccountTrade[] }
export type Canceled = { canceled: string[]; not_canceled: Record<string, string> }

/** Takes orders of accounts: whose they are, whether they are signed and paid for, and what became of them. */
export type OrderDesk = {
  /** Throws a `Refusal`. With `deferExec` it does not wait for the settlement of what was matched. */
  place(key: ApiKey, posted: PostedOrder & { signature: Hex; deferExec: boolean }): Promise<Placed>
  cancel(key: ApiKey, ids: readonly string[]): Canceled
  /** Those of the key's wallet. */
  open(key: ApiKey): readonly AccountOrder[]
}

type Input = {
  venue: PredictionVenue
  custody: Custody
  store: AccountStore
  settlements: Pick<Settlements, 'settled'>
  resolutions: Pick<Resolutions, 'prepare'>
}

const MAX_OPEN_ORDERS = 500
/** Orders of one wallet that wait for those before them. */
const MAX_WAITING = 100
const MAX_WALLETS = 1_000

export function createOrderDesk(input: Input): OrderDesk {
  const { venue, custody, store } = input
  const balances = createBalances(input)
  const inTurn = createTurns()
  const open = (key: ApiKey) =>
    venue
      .orders(custody.walletOf(key.address as Address))
      .filter(({ status }) => status === 'live' || status === 'delayed')
      .flatMap(({ id }) => store.orders.get(id) ?? [])

  const check = async (key: ApiKey, posted: PostedOrder & { signature: Hex }) => {
    const id = hashOrder(posted.order)
    checkMaker(posted, custody.walletOf(key.address as Address))
    if (store.orders.get(id)) throw new Refusal(400, `order ${id} is invalid. Duplicated.`)
    const market = findMarket(venue, posted.order.tokenId.toString())
    const terms = toOrderTerms(posted, market, venue.nowMs())
    const { signer, signatureType } = posted.order
    const isSigned = await custody.isSigned({ hash: id, signer, signatureType, signature: posted.signature })
    if (!isSigned) throw new Refusal(400, 'invalid signature')
    await input.resolutions.prepare(market)
    return { id, market, terms }
  }
  const placeInTurn: OrderDesk['place'] = async (key, posted) => {
    const { id, market, terms } = await check(key, posted)
    const { side, tokenId } = posted.order
    const { kind, postOnly, expirationS } = posted
    const wallet = custody.walletOf(key.address as Address)
    const order = { id, wallet, tokenId: tokenId.toString(), side, kind, postOnly, ...terms }
    if (open(key).length >= MAX_OPEN_ORDERS) throw new Refusal(400, 'too many open orders')
    await balances.check(order)
    // Kept before it is placed: fills are told while the venue matches it.
    const kept: AccountOrder = {
      ...{ id, owner: key.id, wallet, side, kind, expirationS },
      ...{ tokenId: order.tokenId, priceE4: terms.priceE4, sharesE6: terms.sharesE6 },
      conditionId: market.conditionId,
      outcome: market.outcomes[market.tokenIds.indexOf(order.tokenId)] ?? '',
      filledE6: 0,
      status: 'live',
      createdMs: venue.nowMs(),
    }
    store.orders.put(kept)
    const { status, filledE6 } = placeOrForget(venue, order, () => store.orders.delete(id))
    const placed = { ...kept, status, filledE6 }
    store.orders.put(placed)
    return { order: placed, trades: [] }
  }
  return {
    async place(key, posted) {
      const wallet = custody.walletOf(key.address as Address)
      const { order } = await inTurn(wallet).run(() => placeInTurn(key, posted))
      if (!posted.deferExec) await input.settlements.settled(order.id)
      const trades = store.trades.all().filter(({ orderId }) => orderId === order.id)
      return { order, trades }
    },
    cancel(key, ids) {
      const wallet = custody.walletOf(key.address as Address)
      const result: Canceled = { canceled: [], not_canceled: {} }
      for (const id of ids) {
        const order = store.orders.get(id)
        const isOwn = order !== undefined && isSameAddress(order.wallet, wallet)
        if (isOwn && venue.cancel(id)) result.canceled.push(id)
        else result.not_canceled[id] = reasonOf(isOwn ? venue.order(id) : undefined)
      }
      return result
    },
    open,
  }
}

/** The kinds of account that the venue no longer takes are refused before anything else is looked at. */
function checkMaker({ order }: PostedOrder, wallet: Address): void {
  if (order.signatureType !== DEPOSIT_WALLET_TYPE)
    throw new Refusal(400, 'maker address not allowed, please use the deposit wallet flow')
  if (!isSameAddress(order.signer, wallet) || !isSameAddress(order.maker, order.signer))
    throw new Refusal(400, 'the order signer address has to be the address of the API KEY')
}

function findMarket(venue: PredictionVenue, tokenId: string): VenueMarket {
  const market = venue.findByToken(tokenId)
  if (!market || !venue.book(tokenId)) throw new Refusal(400, `the orderbook ${tokenId} does not exist`)
  return market
}

function placeOrForget(
  venue: PredictionVenue,
  order: Parameters<PredictionVenue['place']>[0],
  forget: () => void,
) {
  try {
    return venue.place(order)
  } catch (error) {
    forget()
    if (error instanceof OrderRefused) throw new Refusal(400, error.message)
    throw error
  }
}

function reasonOf(state: OrderState | undefined): string {
  return state?.status === 'delayed'
    ? "the order is being matched and can't be canceled"
    : "order can't be found - already canceled or matched"
}

/** One order of a wallet after the other, so that two do not spend the same money. */
function createTurns(): (wallet: string) => SerialQueue {
  const turns = new Map<string, SerialQueue>()
  return (wallet) => {
    const turn = turns.get(wallet) ?? createSerialQueue({ maxWaiting: MAX_WAITING })
    // Forgotten in the order of their first use: a wallet that is forgotten in between gets a new one.
    if (!turns.has(wallet) && turns.size >= MAX_WALLETS) turns.delete(turns.keys().next().value ?? '')
    turns.set(wallet, turn)
    return turn
  }
}
