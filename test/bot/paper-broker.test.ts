import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Placed } from '../../src/bot/brokers/broker.ts'
import { createPaperBroker } from '../../src/bot/brokers/paper/paper-broker.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { createManualClock, type ManualClock } from '../../src/core/time/manual-clock.ts'
import type { PlannedOrder } from '../../src/ledger/ports/bot-book.ts'
import type { PaperBook } from '../../src/ledger/ports/paper-book.ts'
import { brokerContract } from '../../src/testing/bot/broker-contract.ts'
import {
  type BrokerWorld,
  createOrders,
  FIRST_CASH_E6,
  fillsOf,
  movedBy,
  USD,
} from '../../src/testing/bot/broker-world.ts'
import { createScriptedMarkets } from '../../src/testing/bot/scripted-markets.ts'
import {
  createMemoryPaperBook,
  createMemoryPaperRows,
} from '../../src/testing/ledger/bot/memory-paper-book.ts'

const START_MS = Date.UTC(2026, 0, 5, 12, 1)
const BOOK = {
  bids: [
    [0.38, 12.5],
    [0.37, 40],
    [0.3, 1_000],
  ],
  asks: [
    [0.4, 7.25],
    [0.41, 30],
    [0.42, 20],
    [0.5, 1_000],
  ],
} as const

describe('paper', () => brokerContract(openPaperWorld))

const pricesOf = (placed: Placed) =>
  fillsOf(placed).map(({ priceE6, sharesE6 }) => `${sharesE6} @ ${priceE6}`)

test('the book of after the delay counts, not the one that the order saw', async () => {
  const world = await openPaperWorld()
  const placing = world.broker.place(createOrders(world).buy(4n * USD))
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  world.clock.advance(149)
  world.markets.setBook({ bids: [], asks: [[0.41, 2]] })
  await nextTurn()
  expect(world.ordersTaken()).toBe(0)
  expect(pricesOf(await world.during(placing))).toEqual(['2000000 @ 410000'])
})

test('who has gone in the delay is not matched', async () => {
  const world = await openPaperWorld()
  const order = createOrders(world).buy(4n * USD)
  const placing = world.broker.place(order)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  world.markets.setBook({ bids: [], asks: [[0.5, 100]] })
  const placed = await world.during(placing)
  expect(placed).toMatchObject({ state: 'closed', fills: [], note: expect.any(String) })
  expect(await world.broker.find(order)).toEqual(placed)
})

test('a level is taken once, also by the other token and after a restart, until the venue says another size', async () => {
  const world = await openPaperWorld()
  const { buy, sell, tokens } = createOrders(world)
  const limit = { priceE4: 4_000 }
  const first = await world.during(world.broker.place(buy(2n * USD, limit)))
  expect(pricesOf(first)).toEqual(['5000000 @ 400000'])
  const later = world.restarted()
  const place = (order: PlannedOrder) => world.during(later.place(order))
  expect(pricesOf(await place(buy(2n * USD, limit)))).toEqual(['2250000 @ 400000'])
  expect(await place(buy(2n * USD, limit))).toMatchObject({ state: 'refused' })
  world.markets.setBook({ ...BOOK, asks: [[0.4, 7.26]] })
  expect(pricesOf(await place(buy(2n * USD, limit)))).toEqual(['5000000 @ 400000'])
  // Selling DOWN at 0.60 meets whoever sells UP at 0.40.
  await place(buy(4n * USD, { tokenId: tokens.down, priceE4: 6_200 }))
  const sale = sell(5n * USD, { tokenId: tokens.down, priceE4: 6_000 })
  expect(pricesOf(await place(sale))).toEqual(['2260000 @ 600000'])
})

test.each([
  ['there is no book', (world) => world.markets.lose()],
  ['the book is old', (world) => world.markets.confirmedAt(world.nowMs() - 5_001)],
  ['the market takes no orders', (world) => world.markets.setTerms({ acceptingOrders: false })],
  ['the market is closed', (world) => world.markets.setTerms({ closed: true })],
  ['another window is open', (world) => world.clock.advance(300_000)],
  ['the tick has changed', (world) => world.markets.setTerms({ tickSize: 0.1 })],
  ['the fee is not known', (world) => world.markets.setTerms({ fee: { rate: 2, exponent: 1 } })],
] as [string, (world: PaperWorld) => void][])(
  'nothing is taken where %s, at once or in the delay',
  async (_, spoil) => {
    const [early, late] = [await openPaperWorld(), await openPaperWorld()]
    const order = createOrders(early).buy(4n * USD, { priceE4: 4_100 })
    spoil(early)
    expect(await early.during(early.broker.place(order))).toMatchObject({
      state: 'refused',
      reason: expect.any(String),
    })
    const placing = late.broker.place(order)
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    spoil(late)
    expect(await late.during(placing)).toMatchObject({ state: 'refused' })
    expect([early.ordersTaken(), late.ordersTaken()]).toEqual([0, 0])
  },
)

test('the answer to an order stays what it was, whatever the market is by then', async () => {
  const world = await openPaperWorld()
  const order = createOrders(world).buy(4n * USD)
  const placed = await world.during(world.broker.place(order))
  world.markets.lose()
  expect(await world.broker.place(order)).toEqual(placed)
  expect(await world.restarted().place(order)).toEqual(placed)
})

test('shares that were paid out in the delay of their sale are not sold', async () => {
  const world = await openPaperWorld()
  const { buy, sell, tokens } = createOrders(world)
  const { sharesE6 } = movedBy('BUY', await world.during(world.broker.place(buy(4n * USD))))
  const selling = world.broker.place(sell(sharesE6))
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  await world.resolve()
  const { conditionId } = world.market()
  expect(await world.broker.redeem(conditionId, [tokens.up])).toMatchObject({ amountE6: sharesE6 })
  // What is told twice would be counted twice.
  expect(await world.broker.redeem(conditionId, [tokens.up])).toMatchObject({ outcome: 'refused' })
  expect(await world.during(selling)).toMatchObject({ state: 'closed', fills: [] })
})

test('a book that was confirmed five seconds ago is good', async () => {
  const world = await openPaperWorld()
  const order = createOrders(world).buy(4n * USD)
  world.markets.confirmedAt(world.nowMs() - 4_800)
  expect(await world.during(world.broker.place(order))).toMatchObject({ state: 'closed' })
})

test('an order that is under way is waited for, and not placed by a broker that closes', async () => {
  const world = await openPaperWorld()
  const order = createOrders(world).buy(4n * USD)
  const placing = world.broker.place(order)
  const finding = world.broker.find(order)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  world.broker.close()
  expect(await placing).toMatchObject({ state: 'refused', reason: 'the service is stopping' })
  expect(await finding).toEqual(await placing)
  expect(world.ordersTaken()).toBe(0)
})

test('an account without a dollar says so', async () => {
  const world = await openPaperWorld()
  world.markets.setBook({ bids: [], asks: [[0.4, 10_000]] })
  const { buy } = createOrders(world)
  const placed = await world.during(world.broker.place(buy(479n * USD)))
  expect(movedBy('BUY', placed).notionalE6).toBe(479n * USD)
  expect(await world.broker.obstacles()).toMatchObject([{ code: 'no_cash' }])
})

type PaperWorld = BrokerWorld & {
  clock: ManualClock
  markets: ReturnType<typeof createScriptedMarkets>
}

async function openPaperWorld(): Promise<PaperWorld> {
  const clock = createManualClock(START_MS)
  const rows = createMemoryPaperRows()
  const kept = createMemoryPaperBook(rows)
  const markets = createScriptedMarkets(clock, BOOK)
  let lost: 'answers' | 'orders' | undefined
  let winner: string | undefined
  const book: PaperBook = {
    ...kept,
    async add(order) {
      if (lost === 'orders') throw new ServiceError('store_unavailable', 'the disk is full')
      const added = await kept.add(order)
      if (lost === 'answers') throw new ServiceError('store_unavailable', 'no answer')
      return added
    },
  }
  const create = () =>
    createPaperBroker({
      ...{ clock, book, markets, startCashE6: FIRST_CASH_E6 },
      payoutOf: async (_, tokenId) =>
        winner === undefined ? undefined : tokenId === winner ? 1_000_000n : 0n,
      serverTimeMs: async () => clock.now(),
    })
  const broker = create()
  clock.advance(1)
  return {
    ...{ broker, clock, markets },
    restarted: create,
    nowMs: clock.now,
    market() {
      const { window, conditionId, tokens, tickSize } = openOf(markets).market
      return { windowStartS: window.startS, conditionId, tokens, tickE4: tickSize * 10_000 }
    },
    facing(tokenId, side) {
      const { up, down } = openOf(markets)
      const { bids, asks } = up.tokenId === tokenId ? up : down
      return (side === 'BUY' ? asks : bids).map(([price, size]) => ({
        priceE4: Math.round(price * 10_000),
        sharesE6: BigInt(Math.round(size * 1e6)),
      }))
    },
    async counted(tokenId) {
      const held = (await kept.holdings()).find((each) => each.tokenId === tokenId)
      return { cashE6: FIRST_CASH_E6 + (await kept.cashFlowE6()), sharesE6: held?.sharesE6 ?? 0n }
    },
    ordersTaken: () => rows.orders.size,
    async during(work) {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      for (; !isDone; await nextTurn()) clock.advance(10)
      return done
    },
    pass: async (ms) => clock.advance(ms),
    lose(what) {
      lost = what
    },
    async resolve() {
      winner = openOf(markets).market.tokens.up
      return winner
    },
  }
}

function openOf(markets: Pick<ReturnType<typeof createScriptedMarkets>, 'open'>) {
  const open = markets.open()
  if (!open) throw new Error('there is no market')
  return open
}
