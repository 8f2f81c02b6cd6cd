import { expect, test } from 'vitest'
import { KEPT_PAYMENTS } from './kept-notes.ts'
import { createRedisSharedCustomers } from './shared-customers.ts'

/** A Redis that takes notes when it is there, and keeps in which order. */
function createStandIn() {
  let comeBack = () => {}
  const state = { isThere: false, tried: 0, refuses: (_key: string) => false }
  const taken: string[] = []
  const run = async (_: unknown, key: string, [as]: readonly (string | number)[]) => {
    state.tried++
    // As a real one: nobody hears of it in the same turn.
    await Promise.resolve()
    if (!state.isThere || state.refuses(key)) throw new Error('lost')
    taken.push(`${key} ${as}`)
  }
  const onBack = (listener: () => void) => {
    comeBack = listener
  }
  const redis = { run, onBack }
  const customers = createRedisSharedCustomers({ redis, prefix: '', secret: new Uint8Array(32) })
  return { state, taken, customers, comeBack: () => comeBack() }
}
const turns = () => new Promise((resolve) => setImmediate(resolve))

test('what was sold while Redis was lost is noted once it answers, the buyer first', async () => {
  const { state, taken, customers, comeBack } = createStandIn()
  customers.note('a', 'buyer', 'me')
  customers.note('a', 'receiver', 'me')
  customers.note('b', 'buyer', 'me')
  await turns()
  state.isThere = true
  comeBack()
  // It must not overtake its buyer, or it is not noted.
  customers.note('b', 'receiver', 'me')
  customers.note('c', 'buyer', 'me')
  await turns()
  const byPayment = Map.groupBy(taken, (line) => line.split(' ')[0])
  const kinds = [...byPayment.values()].map((lines) => lines.map((line) => line.split(' ')[1]).join())
  expect(kinds.sort()).toEqual(['buyer', 'buyer,receiver', 'buyer,receiver'])
  comeBack()
  await turns()
  expect(taken).toHaveLength(5)
})

test('nobody tries while Redis is lost, and one try of one note finds that it still is', async () => {
  const { state, customers, comeBack } = createStandIn()
  for (const key of ['a', 'b', 'c']) customers.note(key, 'buyer', 'me')
  await turns()
  expect(state.tried).toBe(3)
  comeBack()
  await turns()
  expect(state.tried).toBe(4)
})

test('a note that is never taken is given up, and holds up no other', async () => {
  const { state, taken, customers, comeBack } = createStandIn()
  for (const key of ['a', 'b']) customers.note(key, 'buyer', 'me')
  await turns()
  const refused: string[] = []
  state.isThere = true
  state.refuses = (key) => {
    if (refused.length === 0) refused.push(key)
    return refused.includes(key)
  }
  for (let n = 0; n < 20; n++) {
    comeBack()
    await turns()
  }
  expect(taken).toEqual([expect.stringMatching(/buyer$/)])
  expect(taken[0]).not.toContain(refused[0])
  expect(state.tried).toBe(2 + 5 + 1)
})

test('so many payments are kept, and the oldest are dropped', async () => {
  const { state, taken, customers, comeBack } = createStandIn()
  const first = 'the first'
  customers.note(first, 'buyer', 'me')
  for (let n = 0; n < KEPT_PAYMENTS; n++)
    for (const as of ['buyer', 'receiver'] as const) customers.note(`payment ${n}`, as, 'me')
  await turns()
  state.isThere = true
  comeBack()
  await expect.poll(() => taken.length, { timeout: 10_000 }).toBe(2 * KEPT_PAYMENTS)
  customers.note(first, 'buyer', 'me')
  await turns()
  expect(taken.filter((line) => line === taken.at(-1))).toHaveLength(1)
})
