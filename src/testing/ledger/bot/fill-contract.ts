import { describe, expect, test } from 'vitest'
import type { BotBook, FillRow } from '../../../ledger/ports/bot-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { sampleFill, sampleOrder } from './sample-order.ts'

const unavailable = { code: 'store_unavailable' }

export function fillContract(opened: OpenedStores): void {
  describe('fills of the bot', () => {
    movingContract(opened)
    keepingContract(opened)
  })
}

function movingContract({ open }: OpenedStores): void {
  const after = async (bot: BotBook, ...reports: Partial<FillRow>[]) => {
    await bot.planOrder(sampleOrder('a'), {})
    for (const report of reports) await bot.putFills('a', [sampleFill('t', report)])
    const { state, transactionHash } = (await bot.findOrder('a'))?.fills[0] ?? {}
    return [state, transactionHash]
  }
  const matched = { state: 'matched' } as const
  const confirmed = { state: 'confirmed' } as const
  const failed = { state: 'failed' } as const

  test.each<[Partial<FillRow>[], (string | undefined)[]]>([
    [
      [matched, confirmed],
      ['confirmed', undefined],
    ],
    [
      [matched, failed],
      ['failed', undefined],
    ],
    [
      [confirmed, matched],
      ['confirmed', undefined],
    ],
    [
      [confirmed, failed],
      ['confirmed', undefined],
    ],
    [
      [failed, confirmed],
      ['failed', undefined],
    ],
    [
      [failed, matched, confirmed],
      ['failed', undefined],
    ],
    [
      [{ ...matched, transactionHash: '0x1' }, matched],
      ['matched', '0x1'],
    ],
    [
      [
        { ...matched, transactionHash: '0x1' },
        { ...confirmed, transactionHash: '0x2' },
      ],
      ['confirmed', '0x2'],
    ],
    [
      [confirmed, { ...confirmed, transactionHash: '0x1' }, { ...confirmed, transactionHash: '0x2' }],
      ['confirmed', '0x1'],
    ],
  ])('a fill that is told as %o ends as %o', async (reports, expected) => {
    expect(await after((await open()).bot, ...reports)).toEqual(expected)
  })
}

function keepingContract({ open, restart, openTwice }: OpenedStores): void {
  test('fills keep the amounts and the order of the first time, and are there once', async () => {
    const { store, restarted } = await restart()
    await store.bot.planOrder(sampleOrder('a'), {})
    await store.bot.planOrder(sampleOrder('b'), {})
    const [first, second] = [sampleFill('z'), sampleFill('y', { sharesE6: 9_007_199_254_740_993n })]
    await store.bot.putFills('a', [first])
    await store.bot.putFills('a', [second, sampleFill('z', { sharesE6: 1n, feeE6: 0n, atMs: 1 }), second])
    await store.bot.putFills('b', [sampleFill('z', { sharesE6: 5n })])
    const { bot } = await restarted()
    expect((await bot.findOrder('a'))?.fills).toEqual([first, second])
    expect((await bot.findOrder('b'))?.fills).toEqual([sampleFill('z', { sharesE6: 5n })])
  })

  test('fills of one call are written all or not at all', async () => {
    const { bot } = await open()
    await bot.planOrder(sampleOrder('a'), {})
    const fills = [sampleFill('t'), sampleFill('u', { sharesE6: 0n })]
    await expect(bot.putFills('a', fills)).rejects.toMatchObject(unavailable)
    expect((await bot.findOrder('a'))?.fills).toEqual([])
  })

  test('what another process writes is seen at once', async () => {
    const [first, second] = await openTwice()
    await first.bot.planOrder(sampleOrder('a'), {})
    await second.bot.putFills('a', [sampleFill('t')])
    await second.bot.closeOrder('a', 2_000)
    expect(await first.bot.findOrder('a')).toMatchObject({ state: 'closed', fills: [{ tradeId: 't' }] })
    expect(await first.bot.openOrders()).toEqual([])
  })
}
