import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { HISTORY_START_MS, sampleHistory, writeHistory } from '../../testing/signals/sample-history.ts'
import { historyText } from './history-text.ts'
import { readOwnHistory } from './own-history.ts'

test('three minutes after the first start there are three of each coin, whatever candles were read for it', async () => {
  const folder = temporaryDir()
  const watchedFromMs = HISTORY_START_MS + 1_437 * MINUTE_MS
  const rows = sampleHistory({ seed: 'short', coins: ['BTC', 'ETH'], days: 1 })
  await writeHistory(
    folder,
    rows.map((row) => (row.openMs < watchedFromMs ? { ...row, sample: undefined } : row)),
  )
  expect(historyText(await readOwnHistory(folder, () => {}))).toBe(
    'history: 0 days of which at least half was watched; minutes watched: BTC 3, ETH 3; ' +
      'candles alone, read at a start or after a gap: BTC 1437, ETH 1437; skipped: 0 damaged, 0 repeated',
  )
})
