import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writeCsv } from '../../testing/backtest/sample-ticks.ts'
import { isMissing } from '../../testing/missing.ts'
import { sampleModel } from '../../testing/signals/sample-model.ts'
import { runTicks } from './run-ticks.ts'

// Market history lies beside the project where it is developed, not in it.
const HISTORY = new URL('../../../../shared/data/dev/ticks_l2/', import.meta.url)
const fileOf = (kind: string) =>
  fileURLToPath(new URL(`binance_spot_BTCUSDT_20240808_${kind}.csv.gz`, HISTORY))

describe('eleven recorded minutes of BTC', () => {
  const isMarketMissing = isMissing('recordedMarket', existsSync(fileOf('trades')))

  test.skipIf(isMarketMissing)(
    'changes of levels and the best of both sides give the same figures',
    async () => {
      const [bbo, depth] = [await replay('bbo'), await replay('depth_diff')]
      expect([bbo.summary.clock, depth.summary.clock]).toEqual(['local', 'exchange'])
      expect(bbo.summary).toMatchObject({ trades: 19_904, book_rows: 73_174, lines: 650 })
      expect(depth.summary).toMatchObject({ trades: 19_904, book_rows: 298_111, lines: 650 })
      for (const { warm, imbalance } of [bbo.summary, depth.summary]) {
        expect(warm.ob_imbalance).toBeGreaterThan(0.98)
        expect(warm.tick_momentum).toBeGreaterThan(0.95)
        expect(warm.aggressor_ratio).toBeGreaterThan(0.9)
        expect(imbalance[0]?.count).toBeGreaterThan(300)
        expect(imbalance[0]?.hit_rate).toBeGreaterThan(0.7)
        expect(imbalance[1]?.hit_rate).toBeGreaterThan(0.52)
      }
      const sameClock = await replay('depth_diff', withoutExchangeTime)
      expect(sameClock.summary.clock).toBe('local')
      // Changes of levels are sent every 100 ms, so some seconds are of a book that is as much older.
      const apartBps = [...bbo.prices].map(([asOf, price]) => {
        const other = sameClock.prices.get(asOf) ?? Number.POSITIVE_INFINITY
        return Math.abs(other / (price ?? Number.NaN) - 1) * 1e4
      })
      expect(Math.max(...apartBps)).toBeLessThan(3)
      expect(apartBps.filter((bps) => bps === 0).length).toBeGreaterThan(0.88 * 650)
    },
  )
})

/** A copy of a recorded file with the recorder's time alone. */
function withoutExchangeTime(file: string): string {
  const [header = '', ...rows] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-recorded-'))
  return writeCsv(
    folder,
    'copy.csv',
    header,
    rows.map((row) => row.slice(row.indexOf(','))),
  )
}

async function replay(kind: string, copy = (file: string) => file) {
  let text = ''
  const summary = await runTicks({
    coin: 'BTC',
    ticks: copy(fileOf('trades')),
    book: copy(fileOf(kind)),
    candles: [],
    model: sampleModel(),
    everyS: 1,
    write: (lines) => {
      text += lines
    },
  })
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { as_of: number; price: number | null })
  return { summary, prices: new Map(lines.map(({ as_of, price }) => [as_of, price])) }
}
