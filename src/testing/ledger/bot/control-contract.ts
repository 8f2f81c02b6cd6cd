import { describe, expect, test } from 'vitest'
import type { BossSignalRow, BreakerRow } from '../../../ledger/ports/bot-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { sampleDecision } from './sample-order.ts'

const bossSignal = (given: Partial<BossSignalRow> = {}): Omit<BossSignalRow, 'seq' | 'usedMs'> => ({
  atMs: 5,
  by: 'k1',
  direction: 'UP',
  coin: 'BTC',
  reason: 'news',
  windowStartS: 300,
  ...given,
})

export function controlContract(opened: OpenedStores): void {
  describe('what steers the bot', () => {
    decisionContract(opened)
    switchContract(opened)
    bossSignalContract(opened)
  })
}

function decisionContract({ restart, openTwice }: OpenedStores): void {
  test('there is one decision for each window, coin and attempt', async () => {
    const [first, second] = await openTwice()
    expect(await first.bot.addDecision(sampleDecision())).toBe(true)
    expect(await second.bot.addDecision(sampleDecision({ reason: 'other', broker: 'polymarket' }))).toBe(
      false,
    )
    for (const given of [{ attempt: 2 }, { coin: 'ETH' }, { windowStartS: 600 }] as const)
      expect(await second.bot.addDecision(sampleDecision(given))).toBe(true)
    expect((await first.bot.decisionsOf('BTC', 300)).map(({ reason }) => reason)).toEqual(['edge', 'edge'])
  })

  test('decisions are kept over a restart, and listed newest first in pages', async () => {
    const { store, restarted } = await restart()
    const none = sampleDecision({ attempt: 3, action: 'none', reason: 'breaker_open', facts: '{"ü":null}' })
    for (const row of [none, sampleDecision({ attempt: 1 }), sampleDecision({ attempt: 2 })])
      await store.bot.addDecision(row)
    const { bot } = await restarted()
    const page = async (limit: number, offset: number) =>
      (await bot.decisions({ limit, offset })).map(({ attempt }) => attempt)
    expect([await page(9, 0), await page(1, 1), await page(9, 3)]).toEqual([[2, 1, 3], [1], []])
    expect(await bot.decisionsOf('BTC', 300)).toEqual([
      sampleDecision({ attempt: 1 }),
      sampleDecision({ attempt: 2 }),
      none,
    ])
  })
}

function switchContract({ openTwice, restart }: OpenedStores): void {
  test('a configuration is the one after the newest, from 1 on, and of two at once one is written', async () => {
    const [first, second] = await openTwice()
    const row = (version: number, by = 'k1') => ({ version, atMs: version, by, text: `{"v":${version}}` })
    expect(await first.bot.addConfig(row(0))).toBe(false)
    expect(await first.bot.addConfig(row(2))).toBe(false)
    expect(await first.bot.addConfig(row(1))).toBe(true)
    const both = [first.bot.addConfig(row(2, 'a')), second.bot.addConfig(row(2, 'b'))]
    expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1)
    expect(await second.bot.addConfig(row(1))).toBe(false)
    expect(await second.bot.addConfig(row(3))).toBe(true)
    const page = async (limit: number, offset: number) =>
      (await first.bot.configs({ limit, offset })).map(({ version }) => version)
    expect([await page(9, 0), await page(1, 1), await page(9, 3)]).toEqual([[3, 2, 1], [2], []])
    expect((await first.bot.configs({ limit: 1, offset: 2 }))[0]).toEqual(row(1))
  })

  test('the breaker is as it was left, over a restart', async () => {
    const { store, restarted } = await restart()
    expect(await store.bot.breakerRows(1)).toEqual([])
    const rows: Omit<BreakerRow, 'seq'>[] = [
      { atMs: 1, kind: 'opened', reason: 'daily_loss', by: 'bot' },
      { atMs: 2, kind: 'reset', reason: '', by: 'k1' },
      { atMs: 3, kind: 'opened', reason: 'losses', by: 'bot' },
    ]
    for (const row of rows) await store.bot.addBreaker(row)
    const { bot } = await restarted()
    expect(await bot.breakerRows(2)).toEqual([
      { ...rows[2], seq: 3 },
      { ...rows[1], seq: 2 },
    ])
    expect(await bot.breakerRows(9)).toHaveLength(3)
  })
}

function bossSignalContract({ open, restart }: OpenedStores): void {
  test('the newest boss signal for a window and coin counts, also where an older one is unused', async () => {
    const { store, restarted } = await restart()
    const first = await store.bot.addBossSignal(bossSignal())
    expect(first).toEqual({ ...bossSignal(), seq: 1, usedMs: undefined })
    await store.bot.addBossSignal(bossSignal({ direction: 'DOWN', reason: undefined }))
    await store.bot.addBossSignal(bossSignal({ coin: 'ETH' }))
    await store.bot.addBossSignal(bossSignal({ windowStartS: 600 }))
    const { bot } = await restarted()
    expect(await bot.findBossSignal('BTC', 300)).toMatchObject({
      seq: 2,
      direction: 'DOWN',
      reason: undefined,
    })
    expect(await bot.findBossSignal('SOL', 300)).toBeUndefined()
    expect((await bot.bossSignals(3)).map(({ seq }) => seq)).toEqual([4, 3, 2])
  })

  test('rows cannot be changed from outside', async () => {
    const { bot } = await open()
    const row = await bot.addBossSignal(bossSignal())
    Object.assign(row, { usedMs: 1 })
    Object.assign((await bot.bossSignals(1))[0] ?? {}, { usedMs: 1 })
    expect((await bot.findBossSignal('BTC', 300))?.usedMs).toBeUndefined()
    const decision = sampleDecision()
    await bot.addDecision(decision)
    Object.assign(decision, { reason: 'other' })
    Object.assign((await bot.decisions({ limit: 1, offset: 0 }))[0] ?? {}, { reason: 'other' })
    expect(await bot.decisionsOf('BTC', 300)).toEqual([sampleDecision()])
  })
}
