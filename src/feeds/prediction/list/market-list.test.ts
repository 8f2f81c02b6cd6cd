import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../../core/time/manual-clock.ts'
import { createKeptLog } from '../../../testing/kept-log.ts'
import type { PredictionMarket } from '../../../upstreams/polymarket/prediction-market.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { createMarketList } from './market-list.ts'
import type { GammaEvents } from './market-pages.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
type Query = Parameters<GammaEvents['events']>[0]
type Page = Awaited<ReturnType<GammaEvents['events']>>

/** Only the id matters to a list. */
const market = (id: string, closed = false) => ({ id, slug: id, closed }) as PredictionMarket

/** Where the answer is markets only, each is an event of its own. */
function start(answer: (query: Query, clock: ManualClock) => readonly PredictionMarket[] | Page) {
  const clock = createManualClock(START_MS)
  const log = createKeptLog()
  const asked: Query[] = []
  const events: GammaEvents = {
    async events(query) {
      asked.push(query)
      const page = answer(query, clock)
      return 'events' in page ? page : { markets: page, events: page.length }
    },
  }
  const list = createMarketList({ clock, random: () => 1, events, log })
  list.start()
  const pass = async (ms: number) => {
    clock.advance(ms)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  const ids = () => list.last()?.value.map(({ id }) => id)
  return { clock, list, asked, pass, ids, log }
}
/** Events with one market each, of which `count` are active and two closed. */
const venue =
  (count: () => number) =>
  ({ closed, offset, limit }: Query) =>
    Array.from({ length: closed ? 2 : count() }, (_, at) =>
      market(`${closed ? 'closed' : 'open'}-${at}`, closed),
    ).slice(offset, offset + limit)

test('all pages of active events and the last closed ones are one list, as old as its first page', async () => {
  const { list, asked, pass, ids } = start(venue(() => 120))
  expect([list.last(), list.missing(), list.nextMs()]).toEqual([
    undefined,
    'it has not been read yet',
    START_MS,
  ])
  await pass(0)
  expect(ids()).toHaveLength(122)
  expect(ids()?.slice(-3)).toEqual(['open-119', 'closed-0', 'closed-1'])
  expect([list.last()?.asOfMs, list.nextMs(), list.missing()]).toEqual([START_MS, START_MS + 300_000, ''])
  expect(asked.map(({ closed, offset, order }) => [closed, offset, order])).toEqual([
    [false, 0, 'volume24hr'],
    [false, 50, 'volume24hr'],
    [false, 100, 'volume24hr'],
    [false, 120, 'volume24hr'],
    [true, 0, 'endDate'],
    [true, 2, 'endDate'],
  ])
  expect(list.last()).toMatchObject({ events: 120, isAll: true })
})

test('it is read again five minutes after its beginning, not before', async () => {
  let count = 1
  const { asked, pass, ids, list } = start(venue(() => count))
  await pass(0)
  const first = asked.length
  count = 2
  await pass(299_999)
  expect(asked).toHaveLength(first)
  await pass(1)
  expect(ids()).toEqual(['open-0', 'open-1', 'closed-0', 'closed-1'])
  expect(list.last()?.asOfMs).toBe(START_MS + 300_000)
})

test('where any page fails the old list stays whole, and a new one is tried sooner, then more rarely', async () => {
  let isDown = false
  const { asked, pass, ids, list, clock, log } = start((query) => {
    if (isDown && query.closed) throw new UpstreamError('down', 'http://secret.example: ECONNREFUSED')
    return isDown ? [market('new')] : venue(() => 1)(query)
  })
  await pass(0)
  isDown = true
  await pass(300_000)
  expect(ids()).toEqual(['open-0', 'closed-0', 'closed-1'])
  expect(list.last()?.asOfMs).toBe(START_MS)
  expect(list.missing()).toBe('the venue does not answer')
  expect(list.nextMs()).toBe(clock.now() + 5_000)
  const waits: number[] = []
  for (let tries = 0; tries < 6; tries++) {
    const waitMs = list.nextMs() - clock.now()
    waits.push(waitMs)
    const before = asked.length
    await pass(waitMs - 1)
    expect(asked).toHaveLength(before)
    await pass(1)
    expect(asked.length).toBeGreaterThan(before)
  }
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  isDown = false
  await pass(60_000)
  expect([list.missing(), list.last()?.asOfMs]).toEqual(['', clock.now()])
  expect(log.lines).toMatchObject([
    { level: 'warn', cause: 'http://secret.example: ECONNREFUSED' },
    { level: 'info', failures: 7 },
  ])
})

test('a market that moves between the pages is there once, as it was read last', async () => {
  const { pass, list } = start(({ closed, offset }) => {
    if (closed) return offset === 0 ? [market('b', true)] : []
    return offset === 0 ? [market('a'), market('b')] : offset === 2 ? [market('b'), market('c')] : []
  })
  await pass(0)
  expect(list.last()?.value.map(({ id, closed }) => `${id} ${closed}`)).toEqual([
    'a false',
    'b true',
    'c false',
  ])
})

test('an empty list does not replace a good one', async () => {
  let count = 1
  const { pass, ids, list } = start(venue(() => count))
  await pass(0)
  count = 0
  await pass(300_000)
  expect(ids()).toEqual(['open-0', 'closed-0', 'closed-1'])
  expect(list.missing()).toBe('it could not be read whole')
})

test('a venue without an end is read to a bound of events and of markets', async () => {
  const many = (query: Query, markets: number) => ({
    events: query.limit,
    markets: Array.from({ length: markets }, (_, at) => market(`${query.closed}-${query.offset}-${at}`)),
  })
  const endless = start((query) => many(query, 1))
  await endless.pass(0)
  expect(endless.asked).toHaveLength(80 + 2)
  expect(endless.list.last()).toMatchObject({ events: 4_000, isAll: false })
  const large = start((query) => many(query, 700))
  await large.pass(0)
  expect(large.ids()).toHaveLength(11_000)
  expect(large.asked).toHaveLength(15 + 2)
})

test.each([
  [1_500, 4_000],
  [3_000, 3_050],
  [17_000, 550],
])('a venue that takes %i ms a page has a list of its %i most traded events', async (pageMs, events) => {
  const { pass, list } = start(({ closed, offset, limit }, clock) => {
    clock.advance(pageMs)
    return { events: limit, markets: [market(`${closed}-${offset}`)] }
  })
  await pass(0)
  expect(list.last()).toMatchObject({ events, isAll: false, asOfMs: START_MS })
  expect(list.missing()).toBe('')
})

test('a venue that takes minutes is given up', async () => {
  const { pass, list, log } = start(({ offset }, clock) => {
    clock.advance(61_000)
    return [market(String(offset))]
  })
  await pass(0)
  expect([list.last(), list.missing()]).toEqual([undefined, 'it could not be read whole'])
  expect(log.lines).toMatchObject([{ level: 'warn', cause: 'not read whole in 4 minutes' }])
})

test('a page without a readable market is not the end of the list', async () => {
  const { pass, ids } = start(({ closed, offset, limit }) =>
    !closed && offset === 50
      ? { markets: [], events: limit }
      : venue(() => 120)({ closed, offset, limit, order: 'endDate' }),
  )
  await pass(0)
  expect(ids()).toHaveLength(50 + 20 + 2)
})

test('a page that is too large is read in small ones, and the next one whole again', async () => {
  const { pass, ids, asked } = start((query) => {
    if (query.offset === 50 && query.limit > 10) throw new UpstreamError('malformed', 'too large')
    return venue(() => 120)(query)
  })
  await pass(0)
  expect(ids()).toHaveLength(122)
  expect(asked.filter(({ closed }) => !closed).map(({ offset, limit }) => [offset, limit])).toEqual([
    [0, 50],
    [50, 50],
    ...[50, 60, 70, 80, 90].map((offset) => [offset, 10]),
    [100, 50],
    [120, 50],
  ])
})

test('a format that nobody can read is not asked for again and again', async () => {
  const { pass, list, asked } = start(() => {
    throw new UpstreamError('malformed', 'rows break the format')
  })
  await pass(0)
  expect(asked).toHaveLength(2)
  expect(list.missing()).toBe('the venue answers in a format that we cannot read')
})

test('after a stop nothing is asked and nothing changes', async () => {
  const { pass, list, asked } = start(venue(() => 100))
  list.stop()
  await pass(600_000)
  expect([asked.length, list.last()]).toEqual([1, undefined])
})

test('an empty page in the middle does not cut a list short, until the venue has said so often', async () => {
  let count = 120
  const { pass, ids, list } = start(venue(() => count))
  await pass(0)
  count = 50
  await pass(300_000)
  expect([ids()?.length, list.missing()]).toEqual([122, 'it could not be read whole'])
  for (let tries = 0; tries < 3; tries++) await pass(60_000)
  expect(ids()).toHaveLength(52)
})

test('a refresh reads it at once, and the next reading is due five minutes after that', async () => {
  let count = 120
  const { list, pass, ids, clock } = start(venue(() => count))
  await pass(0)
  await pass(60_000)
  count = 130
  const [first, second] = [list.refresh(), list.refresh()]
  expect((await first).value).toHaveLength(132)
  expect(await second).toBe(await first)
  expect(list.nextMs()).toBe(START_MS + 360_000)
  count = 140
  await pass(299_999)
  expect(ids()).toHaveLength(132)
  await pass(1)
  expect([ids()?.length, clock.now()]).toEqual([142, START_MS + 360_000])
})

test('a refresh that fails says why, keeps the old list, and is tried again', async () => {
  let isDown = false
  const { list, pass, ids } = start((query) => {
    if (isDown) throw new UpstreamError('down', 'no answer')
    return venue(() => 60)(query)
  })
  await pass(0)
  isDown = true
  await expect(list.refresh()).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message: 'the list of prediction markets: the venue does not answer',
  })
  expect(ids()).toHaveLength(62)
  isDown = false
  await pass(5_000)
  expect(list.missing()).toBe('')
})
