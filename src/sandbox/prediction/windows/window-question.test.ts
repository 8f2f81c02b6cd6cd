import { expect, it } from 'vitest'
import { windowQuestion } from './window-question.ts'

const at = (...time: Parameters<typeof Date.UTC>) => Date.UTC(...time) / 1000

it("names a window in New York's time", () => {
  expect(windowQuestion('BTC', at(2026, 8, 28, 17, 45))).toBe(
    'Bitcoin Up or Down - September 28, 1:45PM-1:50PM ET',
  )
  expect(windowQuestion('XRP', at(2026, 0, 5, 4, 55))).toBe('XRP Up or Down - January 4, 11:55PM-12:00AM ET')
})

it('follows the clocks when they change', () => {
  expect(windowQuestion('ETH', at(2026, 2, 8, 6, 55))).toBe('Ethereum Up or Down - March 8, 1:55AM-3:00AM ET')
  expect(windowQuestion('SOL', at(2026, 10, 1, 5, 55))).toBe(
    'Solana Up or Down - November 1, 1:55AM-1:00AM ET',
  )
})
