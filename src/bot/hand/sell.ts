import type { Coin } from '../../core/coin.ts'
import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { windowAt } from '../../core/time/window.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'
import type { Direction } from '../../signals/signal.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { sharesHeld } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { By, OrderReport, SaleReport, SellInput } from '../bot.ts'
import type { Broker } from '../brokers/broker.ts'
import { saleOrderId } from '../desk/client-order-id.ts'
import type { Desk } from '../desk/desk.ts'
import type { BotPorts } from '../ports.ts'
import { BOOK_MAX_AGE_MS } from '../risk/bounds.ts'
import { findOurTickE4, whyNotTradable } from '../round/tradable.ts'
import { type Held, plannedSale } from './planned-sale.ts'
import { lowestPriceE4, priceBelowMidE4 } from './sale-price.ts'

export type Sales = {
  sellOpenWindow(coin: Coin, by: By): Promise<SaleReport>
  close(input: SellInput): Promise<OrderReport>
}

type Ports = {
  clock: Clock
  log: Log
  view: Pick<LedgerView, 'unsettled' | 'ordersOf'>
  desk: Desk
  markets: BotPorts['markets']
  broker(): BrokerName
  brokerOf(name: BrokerName): Broker
}

type Sale = {
  held: Held
  sharesE6: bigint
  priceOf(market: FiveMinuteMarket): number
  /** The broker that was chosen when the sale was asked for; undefined where the operator named one. */
  chosen: BrokerName | undefined
  by: By
}

export function createSales(ports: Ports): Sales {
  const { clock, log, view, markets } = ports
  const selling = new Set<string>()
  const sell = async (sale: Sale): Promise<OrderReport> => {
    const { tokenId } = sale.held
    if (selling.has(tokenId))
      throw new ServiceError('conflict', `token ${tokenId} is being sold already`, {
        hint: 'look at the positions, then decide',
      })
    selling.add(tokenId)
    try {
      return await sellOne(ports, sale)
    } finally {
      selling.delete(tokenId)
    }
  }
  return {
    async sellOpenWindow(coin, by) {
      const { startS } = windowAt(clock.now())
      const chosen = ports.broker()
      const isOpen = (held: Held) => held.coin === coin && held.windowStartS === startS
      const own = listHeld(view, chosen).filter(isOpen)
      const elsewhere = BROKERS.filter((name) => name !== chosen)
        .flatMap((name) => listHeld(view, name).filter(isOpen))
        .map(({ tokenId, broker }) => ({ tokenId, reason: notInUse(broker) }))
      if (own.length === 0) return { sold: [], failed: elsewhere }
      const market = freshMarket(markets.open(coin), markets.missing(coin), clock.now())
      const sales = own.map((held) => ({
        held,
        sharesE6: 0n,
        chosen,
        by,
        priceOf: () => midPrice(market, held.outcome),
      }))
      // A price that cannot be made stops all of them before any is sent.
      for (const { priceOf } of sales) priceOf()
      const results = await Promise.allSettled(sales.map(sell))
      const sold = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      const faults = results.flatMap((result, at) =>
        result.status === 'rejected'
          ? { tokenId: own[at]?.tokenId ?? '', error: result.reason as unknown }
          : [],
      )
      if (faults[0] && sold.length === 0) throw faults[0].error
      const failed = faults.map(({ tokenId, error }) => ({ tokenId, reason: describeError(error) }))
      for (const fault of failed) log.warn({ coin, ...fault }, 'a position was not sold')
      return { sold, failed: [...failed, ...elsewhere] }
    },
    async close({ tokenId, sharesE6, broker, by }) {
      const chosen = ports.broker()
      const held = BROKERS.filter((name) => name === (broker ?? name))
        // The chosen one first: the same token may be held under both.
        .sort((a, b) => Number(b === chosen) - Number(a === chosen))
        .flatMap((name) => listHeld(view, name))
        .find((each) => each.tokenId === tokenId)
      if (!held)
        throw new ServiceError('not_found', `no open position holds token ${tokenId}`, {
          hint: 'GET /trade/positions lists them',
        })
      return sell({ held, sharesE6, by, chosen: broker ? undefined : chosen, priceOf: lowestPriceE4 })
    },
  }
}

const notInUse = (broker: BrokerName) => `held on ${broker}, which is not in use: POST /trade/close sells it`

async function sellOne(ports: Ports, { held, sharesE6, priceOf, chosen, by }: Sale): Promise<OrderReport> {
  const { clock, view, desk, markets } = ports
  const { coin, windowStartS, outcome, tokenId } = held
  const venueE6 = await ports.brokerOf(held.broker).holding(tokenId)
  const before = view
    .ordersOf(coin, windowStartS)
    .filter((order) => order.side === 'SELL' && order.outcome === outcome)
  const clientOrderId = saleOrderId(coin, windowStartS, outcome, before.length)
  return desk.orderOnce(clientOrderId, async () => {
    // Asked again: the account that the operator meant may not be the chosen one any more.
    if (chosen !== undefined && ports.broker() !== chosen)
      throw new ServiceError(
        'conflict',
        `not sold: trading moved from ${chosen} to ${ports.broker()} meanwhile`,
        {
          hint: 'look at the positions, then name the broker',
        },
      )
    // Read again: what was held when the call came may be sold by now.
    const now = listHeld(view, held.broker).find((each) => each.tokenId === tokenId)
    if (!now) throw new ServiceError('not_found', `token ${tokenId} is held no more`)
    if (now.isMoving || desk.isHeld(coin))
      throw new ServiceError('conflict', `an order of token ${tokenId} is still open`, {
        hint: 'try again when it is closed',
      })
    const market = markets.market(coin, windowStartS)
    const whyNot = market ? whyNotTradable(market) : 'the venue does not list the market'
    if (!market || whyNot)
      throw new ServiceError('conflict', `not sold: ${whyNot}; what wins is redeemed after the outcome`)
    const mostE6 = smaller(venueE6, now.sharesE6)
    return {
      order: plannedSale(now, market, {
        clientOrderId,
        by,
        createdMs: clock.now(),
        priceE4: priceOf(market),
        tickE4: findOurTickE4(market.tickSize) ?? 0,
        sharesE6: wholeShares(sharesE6, mostE6),
      }),
    }
  })
}

const BROKERS: readonly BrokerName[] = ['paper', 'polymarket']
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The venue takes hundredths of a share. */
const HUNDREDTH_E6 = 10_000n

/** All where none are named. Floors: never more than is held. */
function wholeShares(askedE6: bigint, mostE6: bigint): bigint {
  if (askedE6 > mostE6)
    throw new ServiceError('conflict', `${Number(mostE6) / 1e6} shares are held, fewer than those to sell`)
  const sharesE6 = askedE6 === 0n ? mostE6 : askedE6
  const whole = sharesE6 - (sharesE6 % HUNDREDTH_E6)
  if (whole > 0n) return whole
  throw new ServiceError('conflict', 'less than a hundredth of a share cannot be sold')
}

function freshMarket(market: WindowMarket | undefined, missing: string, nowMs: number): WindowMarket {
  if (!market) throw new ServiceError('upstream_unavailable', missing)
  if (nowMs - market.asOfMs > BOOK_MAX_AGE_MS)
    throw new ServiceError('stale_data', `the order book is ${nowMs - market.asOfMs} ms old`)
  return market
}

function midPrice(market: WindowMarket, outcome: Direction): number {
  const priceE4 = priceBelowMidE4(outcome === 'UP' ? market.up : market.down, market.market.tickSize)
  if (priceE4 !== undefined) return priceE4
  throw new ServiceError('conflict', `the order book of ${outcome} has no midpoint`, {
    hint: 'POST /trade/close sells at any price',
  })
}

/** What the ledger says is held of each token of markets that are not settled. */
function listHeld(view: Pick<LedgerView, 'unsettled'>, broker: BrokerName): readonly Held[] {
  return view
    .unsettled()
    .flatMap((orders) => [...Map.groupBy(orders, ({ tokenId }) => tokenId).values()])
    .flatMap((orders) => {
      const [first] = orders
      const sharesE6 = sharesHeld(orders)
      if (!first || first.broker !== broker || sharesE6 === 0n) return []
      return [{ ...first, sharesE6, isMoving: orders.some(({ state }) => state === 'open') }]
    })
}
