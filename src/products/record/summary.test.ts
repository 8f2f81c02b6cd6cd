import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { createReplies } from '../../catalog/encoded-reply.ts'
import { bindGroup } from '../../catalog/handlers.ts'
import { listed } from '../../testing/catalog/group-of.ts'
import { createRecordWorld, FIRST_S } from '../../testing/record/record-world.ts'
import { askOf, servicesOf } from '../../testing/record/replies.ts'
import { recordCalibration } from './calibration.ts'
import { ENOUGH_WINDOWS, findingOf } from './finding.ts'
import { recordGroup } from './group.ts'
import { recordSummary, type Summary } from './summary.ts'

type Reply = z.output<typeof Summary>

async function worldOf(windows: number) {
  const world = createRecordWorld()
  await world.keeper.start()
  await world.windows(windows)
  const ask = askOf(world)
  return { ask, summary: (params: object = {}) => ask(recordSummary, params) as Promise<Reply> }
}

describe('/proof', () => {
  test('has the figures of the calibration, of all coins or of one, and their intervals around them', async () => {
    const { ask, summary } = await worldOf(120)
    const { overall, coins } = (await ask(recordCalibration)) as {
      overall: Record<string, unknown>
      coins: (Record<string, unknown> & { coin: string })[]
    }
    for (const coin of [undefined, 'ETH']) {
      const reply = await summary(coin ? { coin } : {})
      const { coin: _, bins, ...figures } = coins.find((each) => each.coin === coin) ?? overall
      expect(reply.figures).toEqual(figures)
      expect(reply.bins.map(({ up_rate_low, up_rate_high, ...bin }) => bin)).toEqual(bins)
      for (const { up_rate, up_rate_low, up_rate_high } of reply.bins)
        expect([up_rate_low < up_rate, up_rate < up_rate_high]).toEqual([true, true])
      expect(reply.scores?.brier.value).toBe(figures.brier)
      expect(reply.scores?.brier.low).toBeLessThan(Number(figures.brier))
      expect(reply.coin).toBe(coin ?? null)
    }
  })

  test('of an empty record says what is to come', async () => {
    const { summary } = await worldOf(0)
    expect(await summary()).toMatchObject({
      finding: { verdict: 'too_few_windows', windows: 0, windows_missing: ENOUGH_WINDOWS },
      first_window: null,
      head: null,
      scores: null,
      baselines: [],
      entries: [],
      newer: null,
      older: null,
    })
  })

  test('lists every window once, newest first, by the links between its pages', async () => {
    const { summary } = await worldOf(30)
    const ids: string[] = []
    const newer: (number | null)[] = []
    for (let before: number | null | undefined; before !== null; ) {
      const page: Reply = await summary(before === undefined ? {} : { before })
      ids.push(...page.entries.map(({ id }) => id))
      newer.push(page.newer)
      before = page.older
    }
    expect([ids.length, new Set(ids).size]).toEqual([120, 120])
    expect(ids.slice(0, 5)).toEqual([
      ...['BTC', 'ETH', 'SOL', 'XRP'].map((coin) => `${coin}-${FIRST_S + 29 * 300}`),
      `BTC-${FIRST_S + 28 * 300}`,
    ])
    // Back from the last page of six windows, by whole pages, to the first.
    expect(newer).toEqual([null, FIRST_S + 30 * 300, FIRST_S + 18 * 300])
    const one = await summary({ coin: 'SOL' })
    expect([one.entries.length, one.older]).toEqual([30, null])
    expect(one.entries.every(({ coin }) => coin === 'SOL')).toBe(true)
  })

  test('says nothing of a prediction whose window is not over', async () => {
    const { summary } = await worldOf(3)
    const { entries } = await summary()
    const open = entries.filter(({ window_start }) => window_start >= FIRST_S + 600)
    expect(open.map(({ state }) => state)).toContain('committed')
    for (const entry of open)
      expect(entry).toMatchObject({ probability_up: null, abstain: null, outcome: null, brier: null })
    const closed = entries.find(({ state, brier }) => state === 'revealed' && brier !== null)
    const up = closed?.outcome === 'UP' ? 1 : 0
    expect(closed?.brier).toBeCloseTo(((closed?.probability_up ?? 0) - up) ** 2)
  })

  test.each([0, FIRST_S, FIRST_S + 1, FIRST_S + 299, FIRST_S + 300, 1e12])(
    'before %i lists what opens before it and leads back',
    async (before) => {
      const { summary } = await worldOf(14)
      const { entries, newer, older } = await summary({ before })
      const last = Math.min(before, FIRST_S + 14 * 300)
      expect(entries.every(({ window_start }) => window_start < last)).toBe(true)
      expect(entries.length > 0).toBe(before > FIRST_S)
      expect([newer === null, older === null]).toEqual([before === 1e12, before !== 1e12])
      if (newer !== null) expect((await summary({ before: newer })).entries.length).toBeGreaterThan(0)
    },
  )

  test('is made once a second and head for everybody, and a client may not ask without end', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(14)
    let reads = 0
    const { leavesOf } = world.book
    world.book.leavesOf = (id) => {
      reads++
      return leavesOf(id)
    }
    const { products } = bindGroup(recordGroup, servicesOf(world))
    const summary = listed(recordSummary)
    const replies = createReplies(products, () => {})
    const ask = async (params = {}) => await replies.reply(summary, params)
    const first = await ask()
    expect([await ask(), await ask(), reads]).toEqual([first, first, 48])
    // Of one coin: the two windows that were not on the page yet, and the one that is not over.
    await ask({ coin: 'ETH' })
    expect(reads).toBe(48 + 3)
    const newest = { treeSize: 9, rootHash: '0'.repeat(64), network: 'eip155:8453', tx: '0x1' }
    await world.book.addAnchor({ ...newest, atMs: world.clock.now() })
    world.clock.advance(1_000)
    expect(JSON.parse((await ask()).text)).toMatchObject({ newest_anchor: { tree_size: 9 } })
    await world.windows(1, FIRST_S + 14 * 300)
    expect(JSON.parse((await ask()).text)).toMatchObject({ last_window: FIRST_S + 14 * 300 })
    expect(summary.limit).toMatchObject({ windowS: 60 })
  })

  test.each([{ coin: 'DOGE' }, { before: -1 }, { before: 1.5 }, { before: 1e13 }])(
    '%j breaks the schema',
    (params) => {
      expect(recordSummary.params.safeParse(params).success).toBe(false)
    },
  )
})

describe('what the record shows', () => {
  const scores = { brier: 0.25, log_loss: 0.69 }
  const estimate = { value: 0, low: 0, high: 0 }
  const of = (windows: number, low: number | null, high: number | null) => {
    const difference = { brier: { value: 0, low, high }, log_loss: estimate }
    return findingOf(
      {
        windows,
        ours: { brier: estimate, log_loss: estimate },
        baselines: [{ name: 'coin_flip', scores, difference }],
      },
      windows * 4,
    )
  }
  test.each([
    [1, -0.2, -0.1, 'too_few_windows', '287 windows still to come'],
    [287, -0.2, -0.1, 'too_few_windows', '1 window still to come'],
    [
      288,
      -0.2,
      -0.1,
      'better',
      'Over 1,152 predictions in 288 windows our probability was better than a coin flip.',
    ],
    [288, 0.1, 0.2, 'worse', 'worse than a coin flip'],
    [288, -0.1, 0.2, 'indistinguishable', 'indistinguishable from a coin flip'],
    [288, -0.1, 0, 'indistinguishable', 'indistinguishable from a coin flip'],
    [5_000, null, null, 'too_few_windows', ''],
  ])('%i windows, a difference from %d to %d: %s', (windows, low, high, verdict, words) => {
    const found = of(windows, low, high)
    expect(found.verdict).toBe(verdict)
    expect(found.words).toContain(words)
  })
})
