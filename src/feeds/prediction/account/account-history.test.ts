import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import type { Activity } from '../../../upstreams/polymarket/account-activity.ts'
import { createAccountHistory } from './account-history.ts'

const START_S = 1_767_614_400
const HOUR_S = 3_600

function rowAt(atS: number, transactionHash = '0xt'): Activity {
  const slug = `btc-updown-5m-${START_S}`
  const told = { title: 'Bitcoin Up or Down', slug, eventSlug: slug, conditionId: '0xc', wallet: '0xab' }
  const trade = { kind: 'TRADE', type: 'TRADE', tokenId: '1', side: 'BUY', outcome: 'Up' } as const
  return { ...told, ...trade, shares: 5, usd: 2.5, price: 0.5, transactionHash, atMs: atS * 1000 }
}

/** A venue that shows `rows` and reads at most `limit` of them, newest first. */
function openHistory(maxRows: number, limit = Number.POSITIVE_INFINITY) {
  const clock = createManualClock(START_S * 1000)
  const venue = { rows: [] as Activity[], starts: [] as (number | undefined)[] }
  const read = createAccountHistory({
    clock,
    maxRows,
    async read({ startS }) {
      venue.starts.push(startS)
      const within = venue.rows
        .filter(({ atMs }) => atMs >= (startS ?? 0) * 1000)
        .sort((a, b) => b.atMs - a.atMs)
      return { rows: within.slice(0, limit), isWhole: within.length <= limit }
    },
  })
  const secondsOf = async () => {
    const { rows, cutMs } = await read()
    return [rows.map(({ atMs }) => atMs / 1000 - START_S), cutMs && cutMs / 1000 - START_S]
  }
  return { clock, venue, secondsOf }
}

test('only what is new is read, with an hour of what is known, and equal rows keep their number', async () => {
  const { venue, secondsOf } = openHistory(100)
  venue.rows = [rowAt(START_S - 2 * HOUR_S), rowAt(START_S), rowAt(START_S)]
  expect(await secondsOf()).toEqual([[0, 0, -7200], undefined])
  // One that came late and one that is new.
  venue.rows.push(rowAt(START_S - HOUR_S), rowAt(START_S), rowAt(START_S + 5))
  expect(await secondsOf()).toEqual([[5, 0, 0, 0, -3600, -7200], undefined])
  expect(venue.starts).toEqual([undefined, START_S - HOUR_S])
})

test('every six hours everything is read, and what the venue took back is gone', async () => {
  const { clock, venue, secondsOf } = openHistory(100)
  venue.rows = [rowAt(START_S - 9 * HOUR_S), rowAt(START_S)]
  await secondsOf()
  venue.rows.shift()
  clock.advance(6 * HOUR_S * 1000 - 1)
  expect((await secondsOf())[0]).toEqual([0, -9 * HOUR_S])
  clock.advance(1)
  expect((await secondsOf())[0]).toEqual([0])
})

test('more than is kept leaves out the oldest, and says from when', async () => {
  const { venue, secondsOf } = openHistory(3)
  venue.rows = [1, 2, 3].map((at) => rowAt(START_S + at))
  expect(await secondsOf()).toEqual([[3, 2, 1], undefined])
  venue.rows.push(rowAt(START_S + 4))
  expect(await secondsOf()).toEqual([[4, 3, 2], 1])
  expect(await secondsOf()).toEqual([[4, 3, 2], 1])
})

test('a read that does not reach back to what is known starts anew from its own oldest row', async () => {
  const { venue, secondsOf } = openHistory(100, 3)
  venue.rows = [rowAt(START_S - 9 * HOUR_S), rowAt(START_S)]
  expect(await secondsOf()).toEqual([[0, -9 * HOUR_S], undefined])
  for (const at of [1, 2, 3, 4]) venue.rows.push(rowAt(START_S + at))
  expect(await secondsOf()).toEqual([[4, 3, 2], 2])
})

test('a row of the future does not hide those to come', async () => {
  const { venue, secondsOf } = openHistory(100)
  venue.rows = [rowAt(START_S + 9 * HOUR_S)]
  await secondsOf()
  venue.rows.push(rowAt(START_S + 1))
  expect((await secondsOf())[0]).toEqual([9 * HOUR_S, 1])
})
