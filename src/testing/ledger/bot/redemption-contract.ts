import { describe, expect, test } from 'vitest'
import type { BotBook } from '../../../ledger/ports/bot-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { sampleFill, sampleOrder, sampleSale, sampleTrade } from './sample-order.ts'

const buy = async (bot: BotBook, conditionId: string, outcome: 'UP' | 'DOWN' = 'UP') => {
  await bot.planOrder(sampleOrder(`buy ${conditionId} ${outcome}`, { conditionId, outcome }), {})
  await bot.putFills(`buy ${conditionId} ${outcome}`, [sampleFill('t')])
}
const wonBy = async (bot: BotBook) =>
  (await bot.unredeemed('paper')).map(({ conditionId, sharesE6 }) => [conditionId, sharesE6])

export function redemptionContract(opened: OpenedStores): void {
  describe('redemptions of the bot', () => {
    winningContract(opened)
    doneContract(opened)
  })
}

function winningContract({ open, openTwice }: OpenedStores): void {
  test('what can be redeemed is what is left of the winning token once the market is settled', async () => {
    const { bot } = await open()
    await buy(bot, 'won')
    await buy(bot, 'won', 'DOWN')
    await buy(bot, 'lost', 'DOWN')
    expect(await wonBy(bot)).toEqual([])
    for (const conditionId of ['won', 'lost']) await bot.settle(sampleTrade({ conditionId }))
    expect(await bot.unredeemed('paper')).toEqual([
      { ...sampleTrade({ conditionId: 'won' }), sharesE6: 2_000_000n },
    ])
    expect(await bot.unredeemed('polymarket')).toEqual([])
    await bot.planOrder(sampleSale('sell', { conditionId: 'won' }), {})
    await bot.putFills('sell', [sampleFill('s', { sharesE6: 500_000n })])
    expect(await wonBy(bot)).toEqual([['won', 1_500_000n]])
    await bot.putFills('sell', [sampleFill('s2', { sharesE6: 1_500_000n })])
    expect(await wonBy(bot)).toEqual([])
    await bot.putFills('sell', [sampleFill('s2', { state: 'failed' })])
    expect(await wonBy(bot)).toEqual([['won', 1_500_000n]])
    await bot.putFills('buy lost DOWN', [sampleFill('late', { state: 'failed' })])
    await bot.putFills('buy won UP', [sampleFill('t', { state: 'failed' })])
    expect(await wonBy(bot)).toEqual([])
  })

  test('where both sides pay alike, shares of both are to be redeemed', async () => {
    const { bot } = await open()
    await bot.addResolution({
      ...{ coin: 'BTC', windowStartS: 300, conditionId: 'split', outcome: 'UP', atMs: 1 },
      payoutUpE6: 500_000n,
    })
    await buy(bot, 'split', 'DOWN')
    await bot.settle(sampleTrade({ conditionId: 'split' }))
    expect(await wonBy(bot)).toEqual([['split', 2_000_000n]])
    await buy(bot, 'split')
    expect(await wonBy(bot)).toEqual([['split', 4_000_000n]])
  })

  test('no fill is missed where they come from two processes while the market is settled', async () => {
    const [first, second] = await openTwice()
    const ids = Array.from({ length: 10 }, (_, n) => `order ${n}`)
    for (const id of ids) await first.bot.planOrder(sampleOrder(id), {})
    const fills = ids.map((id, n) => (n % 2 ? first : second).bot.putFills(id, [sampleFill('t')]))
    await Promise.all([...fills, first.bot.settle(sampleTrade())])
    expect(await wonBy(second.bot)).toEqual([['market 1', 20_000_000n]])
    expect(await second.bot.unsettledOrders()).toEqual([])
  })

  test('is listed oldest window first', async () => {
    const { bot } = await open()
    for (const [conditionId, windowStartS] of [
      ['b', 900],
      ['c', 300],
      ['a', 900],
    ] as const) {
      await buy(bot, conditionId)
      await bot.settle(sampleTrade({ conditionId, windowStartS }))
    }
    expect((await wonBy(bot)).map(([market]) => market)).toEqual(['c', 'a', 'b'])
  })
}

function doneContract({ openTwice, restart }: OpenedStores): void {
  test('a redemption is planned once and done once, and then nothing is left to redeem', async () => {
    const { store, restarted } = await restart()
    const { bot } = store
    const market = { broker: 'paper', conditionId: 'won' } as const
    await buy(bot, 'won')
    await bot.settle(sampleTrade({ conditionId: 'won' }))
    await bot.planRedemption({ ...market, sharesE6: 2_000_000n, atMs: 10_000 })
    await bot.planRedemption({ ...market, sharesE6: 1n, atMs: 20_000 })
    const planned = { ...market, state: 'planned', sharesE6: 2_000_000n, amountE6: 0n, atMs: 10_000 }
    expect(await bot.redemptions('paper')).toEqual([{ ...planned, transactionHash: undefined }])
    expect(await wonBy(bot)).toEqual([['won', 2_000_000n]])
    const paid = {
      ...market,
      sharesE6: 2_000_000n,
      amountE6: 2_000_000n,
      transactionHash: '0x1',
      atMs: 11_000,
    }
    expect(await bot.redeemed(paid)).toBe(true)
    expect(await bot.redeemed({ ...paid, amountE6: 1n, transactionHash: '0x2' })).toBe(false)
    expect(await bot.redeemed({ ...paid, atMs: 12_000 })).toBe(false)
    await bot.planRedemption({ ...market, sharesE6: 2_000_000n, atMs: 30_000 })
    await bot.settle(sampleTrade({ conditionId: 'won' }))
    const after = (await restarted()).bot
    expect(await after.redemptions('paper')).toEqual([{ ...paid, state: 'done' }])
    expect(await wonBy(after)).toEqual([])
  })

  test('one for which more was paid later says so, and never less', async () => {
    const { store, restarted } = await restart()
    const row = {
      broker: 'paper',
      conditionId: 'won',
      sharesE6: 2_000_000n,
      transactionHash: undefined,
    } as const
    const paid = (amountE6: bigint, atMs: number) => store.bot.redeemed({ ...row, amountE6, atMs })
    expect([await paid(0n, 1), await paid(2_000_000n, 2), await paid(1n, 3)]).toEqual([true, true, false])
    expect(await (await restarted()).bot.redemptions('paper')).toEqual([
      { ...row, state: 'done', amountE6: 2_000_000n, atMs: 2 },
    ])
  })

  test('one that was never planned can be done, by one of two processes', async () => {
    const [first, second] = await openTwice()
    const row = {
      broker: 'polymarket',
      sharesE6: 1n,
      amountE6: 1n,
      transactionHash: undefined,
      atMs: 1,
    } as const
    const done = [first, second].map(({ bot }) => bot.redeemed({ ...row, conditionId: 'b' }))
    expect((await Promise.all(done)).filter(Boolean)).toHaveLength(1)
    await second.bot.redeemed({ ...row, conditionId: 'a' })
    expect((await first.bot.redemptions('polymarket')).map(({ conditionId }) => conditionId)).toEqual([
      'b',
      'a',
    ])
    expect(await first.bot.redemptions('paper')).toEqual([])
  })
}
