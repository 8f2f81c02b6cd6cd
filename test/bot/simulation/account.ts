import type { BrokerName } from '../../../src/ledger/ports/bot-book.ts'
import type { SimDisk } from './disk.ts'
import type { SimMarket, SimMarkets } from './markets.ts'
import type { SimVenue } from './venue.ts'

/** One fill as the other side keeps it. */
export type TrueFill = {
  tradeId: string
  clientOrderId: string
  orderId: string
  tokenId: string
  market: SimMarket
  side: 'BUY' | 'SELL'
  sharesE6: bigint
  notionalE6: bigint
  feeE6: bigint
  state: 'matched' | 'confirmed' | 'failed'
}

/** What really happened to the money, told without asking the bot. */
export type TrueAccount = {
  orders: readonly { clientOrderId: string; orderId: string }[]
  fills: readonly TrueFill[]
  cashE6: bigint
  lowestCashE6: bigint
  sharesOf(tokenId: string): bigint
  tokens: readonly string[]
  redemptions: readonly { conditionId: string; amountE6: bigint }[]
}

type World = { broker: BrokerName; venue: SimVenue; disk: SimDisk; markets: SimMarkets; startCashE6: bigint }

export const accountOf = (world: World): TrueAccount =>
  world.broker === 'polymarket' ? atVenue(world.venue) : onPaper(world)

function atVenue(venue: SimVenue): TrueAccount {
  const states = { MATCHED: 'matched', MINED: 'matched', CONFIRMED: 'confirmed', FAILED: 'failed' } as const
  const orders = [...venue.orders.values()]
  return {
    orders: orders.map(({ orderId, terms }) => ({ orderId, clientOrderId: terms.clientOrderId })),
    fills: orders.flatMap(({ terms, trades }) =>
      trades.map(({ status, ...trade }) => ({
        ...trade,
        clientOrderId: terms.clientOrderId,
        state: states[status],
      })),
    ),
    cashE6: venue.cashE6,
    lowestCashE6: venue.lowestCashE6,
    sharesOf: venue.sharesOf,
    tokens: venue.tokens(),
    redemptions: venue.redemptions,
  }
}

function onPaper({ disk, markets, startCashE6 }: World): TrueAccount {
  const orders = [...disk.paper.orders.values()]
  const payouts = [...disk.paper.payouts.values()]
  const shares = new Map<string, bigint>()
  let cashE6 = startCashE6
  const fills = orders.flatMap(({ clientOrderId, orderId, tokenId, side, fills: own }) =>
    own.map((fill): TrueFill => {
      const market = markets.ofToken(tokenId)
      if (!market) throw new Error(`no market has the token ${tokenId}`)
      return { ...fill, clientOrderId, orderId, tokenId, market, side }
    }),
  )
  for (const { side, tokenId, sharesE6, notionalE6, feeE6 } of fills) {
    const sign = side === 'BUY' ? 1n : -1n
    shares.set(tokenId, (shares.get(tokenId) ?? 0n) + sign * sharesE6)
    cashE6 -= sign * notionalE6 + feeE6
  }
  for (const { tokenId, sharesE6, amountE6 } of payouts) {
    shares.set(tokenId, (shares.get(tokenId) ?? 0n) - sharesE6)
    cashE6 += amountE6
  }
  return {
    ...{ orders, fills, cashE6, lowestCashE6: cashE6 },
    sharesOf: (tokenId) => shares.get(tokenId) ?? 0n,
    tokens: [...shares.keys()],
    redemptions: payouts,
  }
}
