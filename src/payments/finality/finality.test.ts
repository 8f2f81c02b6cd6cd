import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { createFinalityWorld, NETWORK } from '../../testing/payments/finality-world.ts'
import type { Payment } from '../gate/payment.ts'
import type { Chain, ChainOutcome } from '../gate/ports.ts'
import { createWaryChain } from './wary-chain.ts'
import { WARY_FOR_MS } from './wary-payers.ts'

const UNDONE = { kind: 'undone', isOver: false } as const

/** One payment that was undone, and the worker that looks after it. */
async function undone(isOver = false) {
  const world = createFinalityWorld()
  const { sell, walk, clock, state } = world
  const transaction = await sell('a', '0xPayer')
  state.reviews.set(transaction, { kind: 'undone', isOver })
  clock.advance(2 * MINUTE_MS)
  await walk(NETWORK)
  if (isOver) await world.settleAgain()
  await world.wary.load()
  return { ...world, transaction }
}

test('an undone payment is settled again while it is valid, and what becomes of it is kept', async () => {
  const { settleAgain, state, clock, store } = await undone()
  await settleAgain()
  await settleAgain()
  expect(state.sent).toEqual(['a'])
  // From now on the transaction that the facilitator named is looked at.
  expect(state.asked.slice(-1)).toEqual(['0xagain'])
  // As a hint: the facilitator may have named any transaction of anybody.
  expect(state.lookedAt).toMatchObject([{ transaction: '0xAba', hint: '0xagain' }])
  const { newest } = await store.finality.overview()
  expect(newest).toMatchObject([{ state: 'paid', transaction: '0xAba', newTransaction: '0xagain' }])
  clock.advance(HOUR_MS)
  await settleAgain()
  expect(state.sent).toEqual(['a'])
})

test('it is sent once a minute while no facilitator does it, and not after it has expired', async () => {
  const { settleAgain, state, clock, transaction, store } = await undone()
  state.settled = { kind: 'refused', reason: 'no', facilitator: 'test' }
  for (let n = 0; n < 12; n++) {
    await settleAgain()
    clock.advance(MINUTE_MS / 6)
  }
  expect(state.sent).toHaveLength(2)
  clock.advance(HOUR_MS)
  await settleAgain()
  expect(state.sent).toHaveLength(2)
  state.reviews.set(transaction, { kind: 'undone', isOver: true })
  await settleAgain()
  expect((await store.finality.overview()).undone).toMatchObject({ lost: { count: 1 }, open: { count: 0 } })
})

test('what no node could look up is not sent, is asked about for a day, and is undone when a node says so', async () => {
  const { settleAgain, state, sell, walk, clock, store } = createFinalityWorld()
  const transaction = await sell('a')
  state.reviews.set(transaction, { kind: 'unseen', error: new Error('out of reach') })
  clock.advance(2 * MINUTE_MS)
  for (let n = 0; n < 5; n++) await walk(NETWORK)
  await settleAgain()
  expect(state.sent).toEqual([])
  state.reviews.set(transaction, UNDONE)
  state.settled = { kind: 'refused', reason: 'no', facilitator: 'test' }
  await settleAgain()
  expect((await store.finality.overview()).undone.open.count).toBe(1)
  clock.advance(2 * DAY_MS)
  state.asked.length = 0
  await settleAgain()
  expect(state.asked).toEqual([transaction])
})

test('who has an undone payment waits for finality: while it is open, and a month after it was lost', async () => {
  const open = await undone()
  expect([open.wary.has('0xpayer'), open.wary.has('0xother')]).toEqual([true, false])
  open.clock.advance(2 * WARY_FOR_MS)
  expect(open.wary.has('0xPAYER')).toBe(true)
  await open.store.finality.decide({ key: 'a', state: 'paid', transaction: '0xagain', atMs: 1 })
  await open.wary.load()
  expect(open.wary.has('0xPayer')).toBe(false)

  const lost = await undone(true)
  expect(lost.wary.has('0xPayer')).toBe(true)
  lost.clock.advance(WARY_FOR_MS)
  expect(lost.wary.has('0xPayer')).toBe(false)
  await lost.wary.load()
  expect(lost.wary.has('0xPayer')).toBe(false)
})

test('for such a payer paid is what is final; for others, and where nothing moved, nothing changes', async () => {
  const { chain: finalChain, wary, state } = await undone(true)
  let outcome: ChainOutcome = { kind: 'paid', transaction: '0xnext' }
  const plain: Chain = { ready: async () => {}, outcome: async () => outcome }
  const chain = createWaryChain({ chain: { ...plain, ...finalChain }, wary })
  const ask = (payer: string) => chain.outcome({ payer, network: NETWORK } as Payment, undefined, 1)
  for (const [review, open] of [
    [{ kind: 'early' }, { kind: 'open', isSeen: true }],
    [UNDONE, { kind: 'open' }],
  ] as const) {
    state.reviews.set('0xnext', review)
    expect([await ask('0xPayer'), await ask('0xother')]).toEqual([open, outcome])
  }
  state.reviews.set('0xnext', { kind: 'final', transaction: '0xnext' })
  expect(await ask('0xPayer')).toEqual({ kind: 'paid', transaction: '0xnext' })
  outcome = { kind: 'dead' }
  expect(await ask('0xPayer')).toEqual({ kind: 'dead' })
})

/** The worker while it runs, with a payment to look at that is never final. */
async function running() {
  const world = createFinalityWorld()
  const { clock, state, sell, finality } = world
  state.reviews.set(await sell('a'), { kind: 'early' })
  clock.advance(2 * MINUTE_MS)
  const stop = new AbortController()
  const done = finality.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await done
  })
  return {
    state,
    /** How often the chain is asked in so many minutes. */
    async looksIn(minutes: number) {
      const before = state.looks
      for (let second = 0; second < 60 * minutes; second++) {
        for (let n = 0; n < 5; n++) await new Promise(setImmediate)
        clock.advance(1_000)
      }
      return state.looks - before
    },
  }
}

test('a chain that cannot be asked is asked less and less often, and as before once it answers', async () => {
  const { state, looksIn } = await running()
  state.isSilent = true
  expect(await looksIn(10)).toBeLessThan(12)
  state.isSilent = false
  await looksIn(2)
  expect(await looksIn(1)).toBeGreaterThanOrEqual(11)
})

test('nodes that are strained are left to buyers, for a minute at a time', async () => {
  const { state, looksIn } = await running()
  expect(await looksIn(1)).toBeGreaterThanOrEqual(11)
  state.isStrained = true
  expect(await looksIn(5)).toBeLessThanOrEqual(6)
  expect(await looksIn(5)).toBeGreaterThanOrEqual(4)
})

test('who was undone waits also where the ledger failed just then, or said so', async () => {
  const { finality, sell, clock, state, store, wary } = createFinalityWorld()
  const { pass } = store.finality
  store.finality.pass = async (...passed) => {
    await pass(...passed)
    store.finality.pass = pass
    throw new Error('the connection to the ledger was lost')
  }
  const { find } = store.payments
  store.payments.find = async () => {
    store.payments.find = find
    throw new Error('the ledger cannot be read')
  }
  const first = await sell('a', '0xInDoubt')
  state.reviews.set(first, { kind: 'undone', isOver: true })
  clock.advance(2 * MINUTE_MS)
  const stop = new AbortController()
  const running = finality.run(stop.signal)
  const settle = async () => {
    for (let n = 0; n < 20; n++) await new Promise(setImmediate)
    clock.advance(5_000)
  }
  for (let n = 0; n < 3; n++) await settle()
  const second = await sell('b', '0xUntold')
  state.reviews.set(second, { kind: 'undone', isOver: true })
  clock.advance(2 * MINUTE_MS)
  for (let n = 0; n < 3; n++) await settle()
  expect([wary.has('0xInDoubt'), wary.has('0xUntold')]).toEqual([true, true])
  stop.abort()
  await running
})

test('the worker goes on after a silence of the chain, and a start knows who waits', async () => {
  const { finality, sell, clock, state, store, disk, transaction } = await undone()
  state.settled = { kind: 'refused', reason: 'no', facilitator: 'test' }
  const stop = new AbortController()
  state.isSilent = true
  const running = finality.run(stop.signal)
  const settle = async (ms: number) => {
    clock.advance(ms)
    for (let n = 0; n < 20; n++) await new Promise(setImmediate)
  }
  const second = await sell('b', 'second')
  await settle(2 * MINUTE_MS)
  state.isSilent = false
  state.reviews.set(second, { kind: 'undone', isOver: true })
  state.reviews.set(transaction, { kind: 'undone', isOver: true })
  for (let n = 0; n < 5; n++) await settle(5_000)
  expect((await store.finality.overview()).undone.lost.count).toBe(2)
  stop.abort()
  await running
  const next = createFinalityWorld(disk)
  await next.finality.recover()
  expect([next.wary.has('0xPayer'), next.wary.has('second')]).toEqual([true, true])
})

test('a process that only follows asks no chain, and learns who waits for finality', async () => {
  const { disk, transaction, state } = await undone()
  expect(state.asked).toContain(transaction)
  const other = createFinalityWorld(disk)
  expect(other.wary.has('0xpayer')).toBe(false)
  const stop = new AbortController()
  const following = other.finality.follow(stop.signal)
  await expect.poll(() => other.wary.has('0xpayer')).toBe(true)
  for (let n = 0; n < 5; n++) {
    other.clock.advance(MINUTE_MS)
    await new Promise((resume) => setImmediate(resume))
  }
  expect([other.state.looks, other.state.asked]).toEqual([0, []])
  stop.abort()
  await following
})
