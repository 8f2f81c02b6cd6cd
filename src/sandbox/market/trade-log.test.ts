import { expect, it } from 'vitest'
import type { SimTrade } from './sim-events.ts'
import { createTradeLog, TRADES_KEPT } from './trade-log.ts'

const trade = (id: number): SimTrade => ({
  venue: 'binance',
  coin: 'BTC',
  id,
  firstTradeId: id,
  fillLots: [1],
  priceTicks: 100,
  lots: 1,
  side: 'buy',
  atMs: id * 10,
})
const ids = (trades: readonly SimTrade[]) => trades.map(({ id }) => id)

it('finds trades by id and by time, oldest first', () => {
  const log = createTradeLog()
  for (let id = 1000; id < 1100; id++) log.push(trade(id))
  expect(ids(log.fromId(1050, 3))).toEqual([1050, 1051, 1052])
  expect(ids(log.last(2))).toEqual([1098, 1099])
  expect(ids(log.between(10_005, 10_030, 10))).toEqual([1001, 1002, 1003])
  expect(ids(log.fromId(1098, 10))).toEqual([1098, 1099])
  expect(ids(log.fromId(1, 1))).toEqual([1000])
  expect(log.fromId(1100, 5)).toEqual([])
})

it('keeps the latest and forgets the oldest', () => {
  const log = createTradeLog()
  for (let id = 1; id <= TRADES_KEPT + 500; id++) log.push(trade(id))
  expect(log.oldestId).toBe(501)
  expect(ids(log.fromId(1, 2))).toEqual([501, 502])
  expect(ids(log.between(0, 5030, 10))).toEqual([501, 502, 503])
  expect(log.newest?.id).toBe(TRADES_KEPT + 500)
})

it('is empty at first', () => {
  const log = createTradeLog()
  expect([log.last(5), log.fromId(0, 5), log.between(0, 9, 5), log.newest]).toEqual([[], [], [], undefined])
})
