import { describe, expect, test } from 'vitest'
import type { ResolutionRow, TradeRow } from '../../../ledger/ports/bot-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { sampleTrade } from './sample-order.ts'

const unavailable = { code: 'store_unavailable' }
const resolution = (given: Partial<ResolutionRow> = {}): ResolutionRow => ({
  coin: 'BTC',
  windowStartS: 300,
  conditionId: 'market 1',
  outcome: 'UP',
  payoutUpE6: 1_000_000n,
  atMs: 9_000,
  ...given,
})
const marketsOf = (trades: readonly TradeRow[]) => trades.map(({ conditionId }) => conditionId)

export function settlementContract(opened: OpenedStores): void {
  describe('settlements of the bot', () => {
    resolutionContract(opened)
    settleContract(opened)
    tradeListContract(opened)
  })
}

function resolutionContract({ openTwice, restart }: OpenedStores): void {
  test('the first resolution of a window and coin counts, also against another process', async () => {
    const [first, second] = await openTwice()
    expect(await first.bot.addResolution(resolution())).toBe(true)
    expect(await second.bot.addResolution(resolution({ outcome: 'DOWN', conditionId: 'other' }))).toBe(false)
    expect(await second.bot.findResolution('BTC', 300)).toEqual(resolution())
    expect(await second.bot.findResolution('BTC', 600)).toBeUndefined()
  })

  test('resolutions are listed from a window on, oldest first, after a restart too', async () => {
    const { store, restarted } = await restart()
    for (const [coin, windowStartS] of [
      ['XRP', 600],
      ['BTC', 900],
      ['BTC', 600],
      ['ETH', 300],
    ] as const)
      await store.bot.addResolution(resolution({ coin, windowStartS }))
    const { bot } = await restarted()
    const since = async (windowStartS: number) =>
      (await bot.resolutionsSince(windowStartS)).map((row) => `${row.windowStartS} ${row.coin}`)
    expect(await since(0)).toEqual(['300 ETH', '600 BTC', '600 XRP', '900 BTC'])
    expect(await since(600)).toEqual(['600 BTC', '600 XRP', '900 BTC'])
    expect(await since(901)).toEqual([])
  })
}

function settleContract({ open, restart }: OpenedStores): void {
  test('a market that is settled again replaces its row, but for the time of the first settlement', async () => {
    const { store, restarted } = await restart()
    const lost = sampleTrade({ collectedE6: 0n, confidence: undefined, costE6: 9_007_199_254_740_993n })
    await store.bot.settle(sampleTrade())
    await store.bot.settle({ ...lost, origin: 'mixed', roundProfitE6: undefined, resolvedMs: 99_000 })
    const { bot } = await restarted()
    expect(await bot.tradesSince(0)).toEqual([{ ...lost, origin: 'mixed', roundProfitE6: undefined }])
    await bot.settle({ ...lost, origin: 'boss' })
    expect(await bot.tradesSince(0)).toMatchObject([{ origin: 'boss' }])
    await bot.settle({ ...lost, roundProfitE6: -9_007_199_254_740_993n })
    expect(await bot.tradesSince(0)).toMatchObject([{ roundProfitE6: -9_007_199_254_740_993n }])
    expect(await bot.countTrades({})).toBe(1)
  })

  test('a trade keeps the number of the breaker row that was the newest when it was first settled', async () => {
    const { store, restarted } = await restart()
    const breaker = { atMs: 99_999, kind: 'reset', reason: '', by: 'k' } as const
    expect(await store.bot.settle(sampleTrade())).toEqual(sampleTrade())
    expect(await store.bot.addBreaker(breaker)).toBe(1)
    expect(await store.bot.addBreaker({ ...breaker, atMs: 1 })).toBe(2)
    const late = sampleTrade({ conditionId: 'late' })
    expect(await store.bot.settle({ ...late, breakerSeq: 7 } as TradeRow)).toEqual({ ...late, breakerSeq: 2 })
    expect(await store.bot.settle(sampleTrade({ confidence: 0.7 }))).toMatchObject({ breakerSeq: 0 })
    const { bot } = await restarted()
    expect(await bot.findTrade('paper', 'late')).toEqual({ ...late, breakerSeq: 2 })
    expect(await bot.findTrade('paper', 'market 1')).toMatchObject({ breakerSeq: 0, confidence: 0.7 })
    expect(await bot.findTrade('polymarket', 'late')).toBeUndefined()
  })

  test.each<[string, Partial<TradeRow>]>([
    ['another outcome', { outcome: 'DOWN' }],
    ['another coin', { coin: 'ETH' }],
    ['another window', { windowStartS: 600 }],
    ['a profit that does not add up', { profitE6: 1n }],
  ])('%s is refused, and the row stays', async (_, given) => {
    const { bot } = await open()
    await bot.settle(sampleTrade())
    await expect(bot.settle(sampleTrade(given))).rejects.toMatchObject(unavailable)
    expect(await bot.tradesSince(0)).toEqual([sampleTrade()])
  })
}

function tradeListContract({ open }: OpenedStores): void {
  test('trades are listed by window, from old to new and in pages from new to old, per broker or all', async () => {
    const { bot } = await open()
    const trades: Partial<TradeRow>[] = [
      { conditionId: 'e', windowStartS: 900 },
      { conditionId: 'a', windowStartS: 300, coin: 'ETH' },
      { conditionId: 'b', windowStartS: 300, broker: 'polymarket' },
      { conditionId: 'b', windowStartS: 300 },
      { conditionId: 'd', windowStartS: 600, broker: 'polymarket' },
    ]
    for (const given of trades) await bot.settle(sampleTrade(given))
    const page = async (broker: TradeRow['broker'] | undefined, limit: number, offset: number) =>
      (await bot.trades({ broker }, { limit, offset })).map(
        (trade) => `${trade.conditionId} ${trade.broker.slice(0, 2)}`,
      )
    expect(marketsOf(await bot.tradesSince(0))).toEqual(['b', 'b', 'a', 'd', 'e'])
    expect(marketsOf(await bot.tradesSince(301))).toEqual(['d', 'e'])
    expect(await page(undefined, 9, 0)).toEqual(['e pa', 'd po', 'a pa', 'b po', 'b pa'])
    expect(await page(undefined, 2, 1)).toEqual(['d po', 'a pa'])
    expect(await page('paper', 2, 1)).toEqual(['a pa', 'b pa'])
    expect(await page('polymarket', 9, 0)).toEqual(['d po', 'b po'])
    expect(await page('polymarket', 9, 2)).toEqual([])
    expect(await Promise.all([bot.countTrades({}), bot.countTrades({ broker: 'paper' })])).toEqual([5, 3])
  })

  test('trades cannot be changed from outside', async () => {
    const { bot } = await open()
    const trade = sampleTrade()
    await bot.settle(trade)
    Object.assign(trade, { coin: 'ETH' })
    Object.assign((await bot.tradesSince(0))[0] ?? {}, { coin: 'ETH' })
    expect(await bot.tradesSince(0)).toEqual([sampleTrade()])
  })
}
