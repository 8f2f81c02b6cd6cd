import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import type { Placement } from '../../../upstreams/polymarket/trading/trading.ts'
import { createPause } from './pause.ts'

const refused = (fault: string, retryAfterMs?: number): Placement => ({
  ...{ state: 'refused', orderId: '0x1', fault, reason: 'not enough balance', retryAfterMs },
})
const taken: Placement = {
  ...{ state: 'matched', orderId: '0x1', tradeIds: [], transactionHashes: [] },
  ...{ makingE6: undefined, takingE6: undefined },
}

function open() {
  const clock = createManualClock(1_767_614_400_000)
  const pause = createPause(clock)
  return { clock, note: pause.note, codes: () => pause.obstacle().map(({ code }) => code) }
}

test('five refusals in a row, whatever they say, pause trading for five minutes and say so', () => {
  const { clock, note, codes } = open()
  for (let n = 0; n < 4; n++) note(refused('refused'))
  expect(codes()).toEqual([])
  note(refused('limited'))
  expect(codes()).toEqual(['refusing'])
  clock.advance(299_999)
  expect(codes()).toEqual(['refusing'])
  clock.advance(1)
  expect(codes()).toEqual([])
  note(refused('refused'))
  expect(codes()).toEqual(['refusing'])
})

test('an order that is taken begins anew; no answer is neither', () => {
  const { note, codes } = open()
  for (let n = 0; n < 4; n++) note(refused('refused'))
  note(taken)
  for (let n = 0; n < 4; n++) note(refused('refused'))
  note({ state: 'unknown', orderId: '0x1', reason: 'no answer' })
  expect(codes()).toEqual([])
  note(refused('refused'))
  expect(codes()).toEqual(['refusing'])
})

test.each([
  ['disabled', 'trading_disabled'],
  ['restarting', 'trading_restarting'],
  ['geoblocked', 'geoblocked'],
])('one refusal that says %s is enough', (fault, code) => {
  const { clock, note, codes } = open()
  note(refused(fault))
  expect(codes()).toEqual([code])
  clock.advance(60_000)
  expect(codes()).toEqual([])
  note(refused(fault, 3_600_000))
  clock.advance(599_999)
  expect(codes()).toEqual([code])
  clock.advance(1)
  expect(codes()).toEqual([])
})

test('an order that found nobody is no refusal of the venue', () => {
  const { note, codes } = open()
  const reason = 'no orders found to match with FAK order'
  for (let n = 0; n < 9; n++)
    note({ state: 'refused', orderId: '0x1', fault: 'refused', reason, retryAfterMs: undefined })
  expect(codes()).toEqual([])
})
