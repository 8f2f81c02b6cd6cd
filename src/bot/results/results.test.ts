import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { createTradeBook, lostAt, tradeAt, tradesInARow } from '../../testing/bot/hand-made-trades.ts'
import { BROKERS, createResults } from './results.ts'

const DAY_S = 86_400
const FIRST_DAY = 20_458
const NOW_MS = (FIRST_DAY + 9) * DAY_S * 1000 + 7_200_000
const clock = createManualClock(NOW_MS)
const open = (book: ReturnType<typeof createTradeBook>) => createResults({ book, clock, log: silentLog })

const anyTrade: fc.Arbitrary<TradeRow> = fc
  .record({
    broker: fc.constantFrom(...BROKERS),
    coin: fc.constantFrom(...COINS),
    day: fc.integer({ min: 0, max: 9 }),
    // Few windows: the same market is settled again often.
    slot: fc.integer({ min: 0, max: 6 }),
    origin: fc.constantFrom('round', 'round', 'operator', 'boss', 'mixed'),
    shares: fc.integer({ min: 0, max: 4 }),
    cost: fc.integer({ min: 0, max: 6_000_000 }),
    fees: fc.integer({ min: 0, max: 200_000 }),
    collected: fc.integer({ min: 0, max: 12_000_000 }),
    roundProfit: fc.integer({ min: -6_000_000, max: 6_000_000 }),
  })
  .map(({ broker, coin, day, slot, origin, shares, cost, fees, collected, roundProfit }) =>
    tradeAt((FIRST_DAY + day) * DAY_S + slot * 3_000, {
      broker,
      coin,
      origin,
      boughtSharesE6: BigInt(shares),
      costE6: shares === 0 ? 0n : BigInt(cost),
      feesE6: shares === 0 ? 0n : BigInt(fees),
      collectedE6: shares === 0 ? 0n : BigInt(collected),
      roundProfitE6:
        shares === 0 || origin === 'operator' || origin === 'boss' ? undefined : BigInt(roundProfit),
    }),
  )

/** All figures from all rows at once, each in the plainest way. */
function recount(rows: readonly TradeRow[]) {
  const trades = rows
    .filter(({ boughtSharesE6 }) => boughtSharesE6 > 0n)
    .sort((a, b) => a.windowStartS - b.windowStartS || COINS.indexOf(a.coin) - COINS.indexOf(b.coin))
  const botProfits = (of: readonly TradeRow[]) =>
    of.flatMap(({ roundProfitE6 }) => (roundProfitE6 === undefined ? [] : roundProfitE6))
  const sum = (of: readonly TradeRow[], key: 'profitE6' | 'feesE6' | 'costE6') =>
    of.reduce((total, trade) => total + trade[key], 0n)
  const tally = (of: readonly TradeRow[]) => ({
    trades: of.length,
    profitE6: sum(of, 'profitE6'),
    feesE6: sum(of, 'feesE6'),
    costE6: sum(of, 'costE6'),
    bot: {
      trades: botProfits(of).length,
      wins: botProfits(of).filter((profit) => profit > 0n).length,
      losses: botProfits(of).filter((profit) => profit <= 0n).length,
      profitE6: botProfits(of).reduce((total, profit) => total + profit, 0n),
    },
  })
  const running = trades.map((_, n) => sum(trades.slice(0, n + 1), 'profitE6'))
  let deepest = 0n
  for (const [n, high] of [0n, ...running].entries())
    for (const low of running.slice(n)) if (high - low > deepest) deepest = high - low
  const runs = botProfits(trades)
    .map((profit) => (profit <= 0n ? 'L' : '.'))
    .join('')
  const profits = trades.map(({ profitE6 }) => profitE6).sort((a, b) => (a < b ? -1 : 1))
  const dayOf = ({ windowStartS }: TradeRow) => Math.floor(windowStartS / DAY_S)
  const newestDay = Math.max(...trades.map(dayOf))
  const isKept = [...new Set(rows.map(dayOf))].sort((a, b) => b - a).indexOf(newestDay) < 3
  const isPoint = trades.map((trade, n) => {
    const next = trades[n + 1]
    return (isKept && dayOf(trade) === newestDay) || !next || dayOf(next) !== dayOf(trade)
  })
  return {
    all: tally(trades),
    perCoin: Object.fromEntries(
      COINS.map((coin) => [coin, tally(trades.filter((each) => each.coin === coin))]),
    ),
    deepest,
    longest: Math.max(...runs.split('.').map((run) => run.length)),
    tail: (/L*$/.exec(runs) as RegExpExecArray)[0].length,
    best: profits.at(-1),
    worst: profits[0],
    today: tally(trades.filter((trade) => dayOf(trade) === FIRST_DAY + 9)),
    recent: [...trades].reverse().slice(0, 50),
    curve: trades
      .map(({ windowStartS }, n) => ({ atMs: (windowStartS + 300) * 1000, profitE6: running[n] }))
      .filter((_, n) => isPoint[n]),
  }
}

function counted(results: ReturnType<typeof createResults>, broker: (typeof BROKERS)[number]) {
  const { all, perCoin, drawdown, losingRun, bestE6, worstE6 } = results.total(broker)
  return {
    all,
    perCoin,
    deepest: drawdown.deepestE6,
    longest: losingRun.longest,
    tail: losingRun.tail,
    best: bestE6,
    worst: worstE6,
    today: results.today(broker).all,
    recent: results.recent(broker, 50),
    curve: results.curve(broker),
  }
}

test('the time of the figures is of the newest trade, also after a restart; the start without trades', async () => {
  const late = tradeAt(FIRST_DAY * DAY_S, { resolvedMs: 1_900_000_000_000 })
  const book = createTradeBook([late, tradeAt(FIRST_DAY * DAY_S + 300)])
  const results = open(book)
  const startMs = results.asOfMs
  await results.load()
  expect(results.asOfMs).toBe(late.resolvedMs)
  results.add(tradeAt(FIRST_DAY * DAY_S + 600, { resolvedMs: late.resolvedMs + 1 }))
  expect(results.asOfMs).toBe(late.resolvedMs + 1)
  const empty = open(createTradeBook([]))
  await empty.load()
  expect(empty.asOfMs).toBe(startMs)
})

test('in whatever order trades come and are settled again, before, during or after loading: as recounted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTrade, { maxLength: 150 }),
      fc.array(anyTrade, { maxLength: 10 }),
      fc.array(anyTrade, { maxLength: 60 }),
      async (before, during, after) => {
        const book = createTradeBook(before)
        const results = open(book)
        const settle = (trade: TradeRow) => {
          book.settle(trade)
          results.add(trade)
        }
        const loading = results.load()
        for (const trade of during) {
          await Promise.resolve()
          settle(trade)
        }
        await loading
        for (const [n, trade] of after.entries()) {
          settle(trade)
          if (n % 3 === 0) await Promise.resolve()
        }
        await results.idle()
        for (const broker of BROKERS)
          expect(counted(results, broker)).toEqual(
            recount(book.rows().filter((row) => row.broker === broker)),
          )
        const again = open(book)
        await again.load()
        for (const broker of BROKERS) expect(counted(again, broker)).toEqual(counted(results, broker))
      },
    ),
    { numRuns: 300 },
  )
})

describe('results', () => {
  test('are 503 until the ledger has been read', async () => {
    const results = open(createTradeBook())
    expect(() => results.total('paper')).toThrow(/being read/)
    expect(() => results.leading()).toThrow(/being read/)
    await results.load()
    expect(results.total('paper').all.trades).toBe(0)
  })

  test('of real money lead as soon as there are any, and are apart from paper', async () => {
    const book = createTradeBook(tradesInARow(5, 5))
    const results = open(book)
    await results.load()
    expect(results.leading()).toBe('paper')
    // An order that took nothing is no trade.
    const nothing = { broker: 'polymarket', boughtSharesE6: 0n, costE6: 0n, feesE6: 0n } as const
    results.add(lostAt(1_767_614_400, nothing))
    expect(results.leading()).toBe('paper')
    const before = results.version
    results.add(lostAt(1_767_614_400, { broker: 'polymarket' }))
    expect([results.leading(), results.version]).toEqual(['polymarket', before + 1])
    expect(results.total('polymarket').all).toMatchObject({ trades: 1, profitE6: -5_100_000n })
    expect(results.total('paper').all).toMatchObject({ trades: 5, profitE6: 24_500_000n })
  })

  test('a trade that brought exactly its cost is a loss', async () => {
    const results = open(createTradeBook([tradeAt(FIRST_DAY * DAY_S, { profitE6: 0n, roundProfitE6: 0n })]))
    await results.load()
    const { all, losingRun } = results.total('paper')
    expect([all.bot, losingRun.tail]).toEqual([{ trades: 1, wins: 0, losses: 1, profitE6: 0n }, 1])
  })

  test('a trade that turns out to be none goes, and of 250 trades the newest are shown', async () => {
    const trades = tradesInARow(250, 250)
    const results = open(createTradeBook(trades))
    await results.load()
    const newest = trades.at(-1) as TradeRow
    expect(results.recent('paper', 50)).toEqual(trades.slice(-50).reverse())
    results.add({
      ...newest,
      boughtSharesE6: 0n,
      costE6: 0n,
      feesE6: 0n,
      collectedE6: 0n,
      profitE6: 0n,
      roundProfitE6: undefined,
    })
    expect(results.recent('paper', 50)).toEqual(trades.slice(-51, -1).reverse())
    expect(results.total('paper').all.trades).toBe(249)
  })

  test('a day that cannot be read again is read with the next trade, and nothing is lost', async () => {
    const days = [0, 1, 2, 3, 4].map((day) => tradeAt((FIRST_DAY + day) * DAY_S))
    const book = createTradeBook(days)
    let isDown = false
    const flaky: typeof book = {
      ...book,
      trades: async (...asked) => {
        if (isDown) throw new Error('the disk is gone')
        return book.trades(...asked)
      },
    }
    const results = open(flaky)
    await results.load()
    isDown = true
    const late = lostAt(FIRST_DAY * DAY_S)
    book.settle(late)
    results.add(late)
    await results.idle()
    expect(results.total('paper').all.bot).toMatchObject({ trades: 5, losses: 0 })
    isDown = false
    results.add(late)
    await results.idle()
    expect(results.total('paper').all.bot).toMatchObject({ trades: 5, losses: 1 })
  })

  test('a trade that comes while its day is read is not lost, at whatever moment', async () => {
    const dayS = FIRST_DAY * DAY_S
    for (let turns = 0; turns < 60; turns++) {
      const book = createTradeBook([tradeAt(dayS)])
      const results = open(book)
      const settle = (trade: TradeRow) => {
        book.settle(trade)
        results.add(trade)
      }
      const loading = results.load()
      settle(tradeAt(dayS + 300))
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      settle(tradeAt(dayS + 600))
      await loading
      await results.idle()
      expect([turns, results.total('paper').all.trades]).toEqual([turns, 3])
    }
  })

  test('the curve of many years has 400 points, from the first day to the last trade', async () => {
    const days = Array.from({ length: 4_000 }, (_, day) => tradeAt(day * DAY_S))
    const results = open(createTradeBook(days))
    await results.load()
    const curve = results.curve('paper')
    expect(curve).toHaveLength(400)
    expect(curve[0]).toEqual({ atMs: 300_000, profitE6: 4_900_000n })
    expect(curve.at(-1)).toEqual({ atMs: (3_999 * DAY_S + 300) * 1000, profitE6: 4_000n * 4_900_000n })
  })
})
