import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { createFinalityWorld, NETWORK } from '../../testing/payments/finality-world.ts'
import { STEP_ROWS } from './walk.ts'

const UNDONE = { kind: 'undone', isOver: false } as const

test('settled payments are asked about once, when they are final, and nothing is written for those that stand', async () => {
  const { walk, sell, clock, state, store, keysAsked } = createFinalityWorld()
  await sell('a')
  await walk(NETWORK)
  expect(state.asked).toEqual([])
  clock.advance(MINUTE_MS)
  state.finalBehindMs = MINUTE_MS
  await walk(NETWORK)
  expect(state.asked).toEqual([])
  clock.advance(MINUTE_MS)
  await sell('b')
  for (let n = 0; n < 3; n++) await walk(NETWORK)
  expect(keysAsked()).toEqual(['a'])
  clock.advance(3 * MINUTE_MS)
  await walk(NETWORK)
  expect(keysAsked()).toEqual(['a', 'b'])
  expect((await store.finality.overview()).newest).toEqual([])
})

test('what was undone is kept, what can never be paid is lost at the second look, and what moved has its new transaction', async () => {
  const { walk, settleAgain, sell, clock, state, store } = createFinalityWorld()
  state.reviews.set(await sell('open'), UNDONE)
  state.reviews.set(await sell('lost'), { kind: 'undone', isOver: true })
  state.reviews.set(await sell('moved'), { kind: 'final', transaction: '0xother' })
  state.reviews.set(await sell('capital'), { kind: 'final', transaction: '0xabcapital' })
  clock.advance(2 * MINUTE_MS)
  await walk(NETWORK)
  const { newest } = await store.finality.overview()
  expect(newest.map(({ key, state, newTransaction }) => [key, state, newTransaction])).toEqual([
    ['moved', 'paid', '0xother'],
    ['lost', 'open', undefined],
    ['open', 'open', undefined],
  ])
  expect(await settleAgain()).toMatchObject([{ key: 'lost', state: 'lost' }])
  expect((await store.payments.find('lost'))?.state).toBe('settled')
  expect((await store.payments.overview([])).customers.count).toBe(3)
})

test('a chain that cannot be asked moves nothing, and a payment that is early holds up those behind it', async () => {
  const { walk, sell, clock, state, store, keysAsked } = createFinalityWorld()
  await sell('a')
  const late = await sell('late')
  await sell('c')
  clock.advance(2 * MINUTE_MS)
  state.isSilent = true
  await expect(walk(NETWORK)).rejects.toThrow('429')
  expect(await store.finality.mark(NETWORK)).toEqual({ settledAtMs: 0, seq: 0 })
  state.isSilent = false
  state.reviews.set(late, { kind: 'early' })
  await walk(NETWORK)
  await walk(NETWORK)
  expect(keysAsked()).toEqual(['a', 'late', 'c', 'late', 'c'])
  state.reviews.delete(late)
  await walk(NETWORK)
  await walk(NETWORK)
  expect(keysAsked().slice(5)).toEqual(['late', 'c'])
})

test('what no node can look up is set aside after some tries, and what is never final after an hour', async () => {
  const { walk, sell, clock, state, store, keysAsked } = createFinalityWorld()
  state.reviews.set(await sell('lookup'), { kind: 'unseen', error: new Error('out of reach') })
  state.reviews.set(await sell('late'), { kind: 'early' })
  await sell('c')
  clock.advance(2 * MINUTE_MS)
  for (let n = 0; n < 8; n++) await walk(NETWORK)
  expect(keysAsked().filter((key) => key === 'lookup')).toHaveLength(5)
  clock.advance(HOUR_MS)
  await walk(NETWORK)
  state.asked.length = 0
  await walk(NETWORK)
  expect(state.asked).toEqual([])
  const { undone } = await store.finality.overview()
  expect([undone.unseen.count, undone.open.count, undone.lost.count]).toEqual([2, 0, 0])
})

test('where more is sold than a step a second takes, more is looked at from five minutes on, and not after a refusal', async () => {
  const { finality, sell, clock, state } = createFinalityWorld()
  for (let n = 0; n < 100 * STEP_ROWS; n++) await sell(`k${n}`)
  clock.advance(2 * MINUTE_MS)
  const stop = new AbortController()
  const running = finality.run(stop.signal)
  const turn = () => new Promise(setImmediate)
  const inASecond = async () => {
    const before = state.asked.length
    for (let tenth = 0; tenth < 10; tenth++) {
      clock.advance(100)
      for (let turns = 0; turns < 3; turns++) await turn()
    }
    return (state.asked.length - before) / STEP_ROWS
  }
  await turn()
  expect(await inASecond()).toBe(1)
  clock.advance(5 * MINUTE_MS)
  await turn()
  expect(await inASecond()).toBe(40)
  state.isSilent = true
  await inASecond()
  state.isSilent = false
  clock.advance(10_000)
  for (let turns = 0; turns < 3; turns++) await turn()
  expect(await inASecond()).toBe(1)
  clock.advance(5 * MINUTE_MS)
  for (let turns = 0; turns < 3; turns++) await turn()
  expect(await inASecond()).toBe(40)
  stop.abort()
  await running
})

test('of what is asked in several requests at once each row gets its own review', async () => {
  const { walk, sell, clock, state, keysAsked } = createFinalityWorld()
  for (let n = 0; n < 4 * STEP_ROWS; n++) await sell(`k${n}`)
  for (const key of ['k30', 'k80']) state.reviews.set(`0xAb${key}`, UNDONE)
  clock.advance(2 * MINUTE_MS)
  const { findings } = await walk(NETWORK, 4 * STEP_ROWS)
  expect(findings.map(({ key }) => key)).toEqual(['k30', 'k80'])
  expect(new Set(keysAsked()).size).toBe(4 * STEP_ROWS)
})

test('fewer reviews than were asked for move nothing', async () => {
  const { walk, sell, clock, chain, store } = createFinalityWorld()
  for (const key of ['a', 'b']) await sell(key)
  clock.advance(2 * MINUTE_MS)
  const { review } = chain
  chain.review = async (network, settled) => (await review(network, settled)).slice(1)
  await expect(walk(NETWORK)).rejects.toThrow('2 settled payments were asked about, and 1 reviews came')
  expect(await store.finality.mark(NETWORK)).toEqual({ settledAtMs: 0, seq: 0 })
})

test('a restart in the middle goes on from the mark: nothing is skipped and nothing counted twice', async () => {
  const first = createFinalityWorld()
  const { sell, clock, state, disk } = first
  for (let n = 0; n < STEP_ROWS + 5; n++) await sell(`k${n}`)
  state.reviews.set('0xAbk3', { kind: 'undone', isOver: true })
  state.reviews.set('0xAbk27', { kind: 'undone', isOver: true })
  clock.advance(2 * MINUTE_MS)
  expect(await first.walk(NETWORK)).toMatchObject({ left: 'some', findings: [{ key: 'k3' }] })
  expect(first.keysAsked()).toHaveLength(STEP_ROWS)

  const second = createFinalityWorld(disk)
  second.clock.advance(2 * MINUTE_MS)
  second.state.reviews = state.reviews
  await second.walk(NETWORK)
  await second.walk(NETWORK)
  expect(second.keysAsked()).toEqual(['k25', 'k26', 'k27', 'k28', 'k29'])
  expect((await second.store.finality.overview()).undone.open.count).toBe(2)
})

test('a write that fails leaves the mark where it was, so that what was found is found again', async () => {
  const { walk, sell, clock, state, store } = createFinalityWorld()
  state.reviews.set(await sell('a'), { kind: 'undone', isOver: true })
  clock.advance(2 * MINUTE_MS)
  const { pass } = store.finality
  store.finality.pass = async () => {
    throw new Error('the disk is full')
  }
  await expect(walk(NETWORK)).rejects.toThrow('full')
  store.finality.pass = pass
  expect((await walk(NETWORK)).findings).toHaveLength(1)
  expect((await store.finality.overview()).undone.open.count).toBe(1)
})

test('a clock that was set back takes the mark with it', async () => {
  const { disk, ...ahead } = createFinalityWorld()
  ahead.clock.advance(5 * HOUR_MS)
  await ahead.sell('later')
  ahead.clock.advance(2 * MINUTE_MS)
  await ahead.walk(NETWORK)
  const { sell, walk, clock, keysAsked } = createFinalityWorld(disk)
  await walk(NETWORK)
  await sell('a')
  clock.advance(2 * MINUTE_MS)
  await walk(NETWORK)
  expect(keysAsked()).toEqual(['a'])
})
