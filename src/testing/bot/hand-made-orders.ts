import type { BuyInput, OpenPosition, OrderReport, SellInput } from '../../bot/bot.ts'
import type { Coin } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { windowAt } from '../../core/time/window.ts'
import type { OrderRow } from '../../ledger/ports/bot-book.ts'

/** Digits, as token ids are. */
export const UP_TOKEN = '1111111111'
export const DOWN_TOKEN = '2222222222'

/** Orders that fill at once and whole at 50 cents, and lose a second fill on the chain. */
export function createHandMadeOrders(clock: Clock, broker: () => OrderRow['broker']) {
  const byId = new Map<string, OrderRow>()
  let count = 0
  const shared = (coin: Coin) => ({
    seq: ++count,
    broker: broker(),
    origin: 'operator' as const,
    coin,
    windowStartS: windowAt(clock.now()).startS,
    conditionId: '0xc0',
    tickE4: 100,
    maxFeeE6: 0n,
    fee: undefined,
    createdMs: clock.now(),
    state: 'closed' as const,
    orderId: `0x${count}`,
    acceptedMs: undefined,
    closedMs: clock.now(),
    note: undefined,
  })
  return {
    buy({ coin, outcome, spendE6, clientOrderId = `auto-${count}`, by }: BuyInput): OrderReport {
      const known = byId.get(clientOrderId)
      if (known && (known.spendE6 !== spendE6 || known.outcome !== outcome))
        throw new ServiceError('conflict', 'that id is of another order')
      if (known) return { order: known, isRepeat: true }
      const order: OrderRow = {
        ...shared(coin),
        clientOrderId,
        by,
        tokenId: outcome === 'UP' ? UP_TOKEN : DOWN_TOKEN,
        outcome,
        side: 'BUY',
        priceE4: 5_100,
        spendE6,
        sharesE6: undefined,
        fills: fillsOf(count, spendE6 * 2n, clock.now()),
      }
      byId.set(clientOrderId, order)
      return { order, isRepeat: false }
    },
    sell({ coin, outcome, tokenId, sharesE6: held }: OpenPosition, { sharesE6, by }: SellInput): OrderReport {
      const shares = sharesE6 === 0n ? held : sharesE6
      const order: OrderRow = {
        ...shared(coin),
        clientOrderId: `sell-${count}`,
        by,
        tokenId,
        outcome,
        side: 'SELL',
        priceE4: 4_600,
        spendE6: undefined,
        sharesE6: shares,
        fills: fillsOf(count, shares, clock.now()),
      }
      return { order, isRepeat: false }
    },
  }
}

const fillsOf = (count: number, sharesE6: bigint, atMs: number): OrderRow['fills'] => [
  {
    tradeId: `t${count}`,
    state: 'matched',
    priceE6: 500_000n,
    sharesE6,
    notionalE6: sharesE6 / 2n,
    feeE6: (sharesE6 * 175n) / 10_000n,
    atMs,
    transactionHash: undefined,
  },
  // It failed, so it must be in no sum.
  {
    tradeId: `f${count}`,
    state: 'failed',
    priceE6: 500_000n,
    sharesE6: 1_000_000n,
    notionalE6: 500_000n,
    feeE6: 17_500n,
    atMs,
    transactionHash: '0xf0',
  },
]
