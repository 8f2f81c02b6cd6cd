import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createMissingShares } from './missing-shares.ts'

test('shares are missing for each broker apart, also in one market', () => {
  const clock = createManualClock(1_000_000)
  const { note, forget } = createMissingShares(clock)
  const news: boolean[] = []
  for (let minute = 0; minute < 6; minute++) {
    note('paper', '0xc', 5n)
    forget('paper', '0xc')
    news.push(note('polymarket', '0xc', 0n).isNews)
    clock.advance(60_000)
  }
  expect(news).toEqual([false, false, false, false, false, true])
})
