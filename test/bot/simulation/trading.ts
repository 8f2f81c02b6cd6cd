import type { PolymarketInput } from '../../../src/bot/brokers/polymarket/polymarket-broker.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Relayed } from '../../../src/upstreams/polymarket/relayer/relayed.ts'
import type { Placement, TradeOrder, Trading } from '../../../src/upstreams/polymarket/trading/trading.ts'
import type { Timeline } from '../../simulation/timeline.ts'
import type { BotCode } from './bot-code.ts'
import type { SimMarkets } from './markets.ts'
import type { VenueTrade } from './matching.ts'
import type { Weather } from './storm.ts'
import { digest, idOf, toPlacement, toTradeView, toView } from './trading-views.ts'
import type { SimVenue } from './venue.ts'

type World = {
  timeline: Timeline
  random: Seeded
  weather: Weather
  markets: SimMarkets
  venue: SimVenue
  code: BotCode
}

/** The venue over a network that loses, delays and repeats, as our client for it shows it. */
export type SimTrading = Omit<PolymarketInput, 'clock' | 'log'>

const LATENCY_MS = 150
/** Our client waits 10 s for an answer to an order and then looks for it. */
const LOST_AFTER_MS = 10_000
const LOOKED_FOR_MS = 7_000
/** Requests that were signed longer ago are refused. */
const LANDS_WITHIN_MS = 20_000

export function createSimTrading(world: World): SimTrading {
  const { timeline, random, weather, venue, code } = world
  const pause = () => timeline.sleep(random.between(10, LATENCY_MS))
  const isOut = () => weather.is('venueOut', timeline.now())
  const unknown = () => new code.TradingError('unknown', 'no answer')
  const read = async <T>(answer: () => T, lost: () => Error = unknown): Promise<T> => {
    await pause()
    if (isOut() || random.chance(weather.storm.readLost)) {
      await timeline.sleep(random.between(100, 5_000))
      throw lost()
    }
    const value = answer()
    await pause()
    return value
  }
  const place = async (order: TradeOrder): Promise<Placement> => {
    const orderId = idOf(order)
    await pause()
    if (isOut()) return lose(orderId)
    if (random.chance(weather.storm.placeRefused)) return refuse(random, orderId)
    if (random.chance(weather.storm.placeTwice)) {
      // Sent again on the way, and the answer is that of the second one.
      submit(world, orderId, order)
      await timeline.sleep(random.between(0, 3_000))
    }
    if (random.chance(weather.storm.placeLost)) {
      const lands = random.pick(['now', 'now', 'late', 'never'])
      if (lands === 'now') void submit(world, orderId, order)
      if (lands === 'late')
        timeline.after(random.between(0, LANDS_WITHIN_MS), () => void submit(world, orderId, order))
      return lose(orderId)
    }
    const known = venue.orders.get(orderId)
    const sent = known ? { order: known, matched: timeline.sleep(LATENCY_MS) } : submit(world, orderId, order)
    if ('refusal' in sent)
      return { state: 'refused', orderId, fault: 'refused', reason: sent.refusal, retryAfterMs: undefined }
    if (random.chance(0.7)) await sent.matched
    const placement = toPlacement(sent.order)
    await pause()
    return placement
  }
  const lose = async (orderId: string): Promise<Placement> => {
    await timeline.sleep(random.between(1_000, LOST_AFTER_MS))
    await timeline.sleep(random.chance(0.5) ? 0 : LOOKED_FOR_MS)
    const found = random.chance(0.5) ? venue.orders.get(orderId) : undefined
    return found ? toPlacement(found) : { state: 'unknown', orderId, reason: 'no answer' }
  }
  const trading: Trading = {
    connect: () => read(() => undefined),
    orderIdOf: async (order) => idOf(order),
    place,
    cancel: () => read(() => false),
    order: (orderId) =>
      read(() => {
        const found = venue.orders.get(orderId)
        return found && toView(found)
      }),
    openOrders: () => read(() => []),
    trades: (sinceMs, conditionId) =>
      read(() => {
        const nowMs = timeline.now()
        const told = since(venue.trades, sinceMs).filter(
          ({ toldMs, market }) =>
            toldMs <= nowMs && (conditionId === undefined || market.market.conditionId === conditionId),
        )
        const again = random.chance(weather.storm.toldTwice) ? told.slice(-2) : []
        return [...again, ...told].map(toTradeView)
      }),
    balance: () => read(() => ({ collateralE6: venue.cashE6, allowanceE6: 2n ** 200n })),
    sharesE6: (tokenId) =>
      read(() => (random.chance(weather.storm.sharesUnseen) ? 0n : venue.sharesOf(tokenId))),
    serverTimeMs: () => read(() => timeline.now()),
  }
  return {
    trading,
    wallet: `0x${'1'.repeat(40)}`,
    web: { geoblock: () => read(() => ({ isBlocked: false, country: 'CH', region: 'ZH' })) },
    data: {
      positions: (_wallet, status) => read(() => positions(world, status ?? 'OPEN')) as never,
      activity: () => read(() => ({ rows: redemptions(world), isWhole: true })) as never,
    },
    relayer: {
      isDeployed: () => read(() => true),
      redeem: (conditionId) => redeem(world, conditionId),
      close() {},
    },
    payoutOf: (conditionId, tokenId) =>
      read(
        () => payoutOf(world, conditionId, tokenId),
        () => new code.ServiceError('upstream_unavailable', 'no answer'),
      ),
  }
}

/** What a share pays once the market is resolved. */
function payoutOf({ venue, markets }: World, conditionId: string, tokenId: string): bigint | undefined {
  const outcome = venue.outcomeOf(conditionId)
  if (!outcome) return undefined
  return markets.ofToken(tokenId)?.token === outcome ? 1_000_000n : 0n
}

function submit({ venue }: World, orderId: string, order: TradeOrder) {
  try {
    return venue.submit(orderId, order)
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) }
  }
}

function refuse(random: Seeded, orderId: string): Placement {
  const [fault, reason, retryAfterMs] = random.pick<readonly [string, string, number | undefined]>([
    ['restarting', 'the matching engine restarts', 5_000],
    ['disabled', 'trading is disabled', undefined],
    ['limited', 'too many requests', 2_000],
    ['refused', 'not enough balance / allowance', undefined],
  ])
  return { state: 'refused', orderId, fault, reason, retryAfterMs }
}

async function redeem({ timeline, random, weather, venue }: World, conditionId: string): Promise<Relayed> {
  await timeline.sleep(random.between(500, 6_000))
  if (weather.is('venueOut', timeline.now()) || random.chance(weather.storm.redeemRefused))
    return { outcome: random.pick(['refused', 'failed']), reason: 'the relayer is busy' }
  if (random.chance(weather.storm.redeemLost)) {
    const executes = random.pick(['now', 'late', 'never'])
    if (executes === 'now') venue.redeem(conditionId)
    if (executes === 'late')
      timeline.after(random.between(1_000, 60_000), () => void venue.redeem(conditionId))
    return { outcome: 'unknown', reason: 'neither confirmed nor failed' }
  }
  venue.redeem(conditionId)
  return { outcome: 'confirmed', transactionHash: `0x${digest(`redeem ${conditionId}`)}` }
}

/** They are in the order of their time. */
function since(trades: readonly VenueTrade[], sinceMs: number): readonly VenueTrade[] {
  let from = trades.length
  while (from > 0 && (trades[from - 1]?.matchedMs ?? 0) >= sinceMs) from--
  return trades.slice(from)
}

/** The lists of the chain are behind it. */
const TOLD_AFTER_MS = 20_000

const redemptions = ({ venue, timeline }: World) =>
  venue.redemptions
    .filter(({ atMs }) => atMs + TOLD_AFTER_MS <= timeline.now())
    .map(({ conditionId, amountE6 }) => ({
      ...{ kind: 'REDEEM', conditionId, usd: Number(amountE6) / 1e6 },
      transactionHash: `0x${digest(`redeem ${conditionId}`)}`,
    }))

/** Shares that lost are in another list, which nobody asks for. */
function positions({ venue, markets }: World, status: string) {
  return venue.tokens().flatMap((tokenId) => {
    const market = markets.ofToken(tokenId)
    if (!market) return []
    const { conditionId } = market.market
    const outcome = venue.outcomeOf(conditionId)
    const isListed = status === 'OPEN' ? outcome === undefined : outcome === market.token
    return isListed ? [{ tokenId, conditionId }] : []
  })
}
