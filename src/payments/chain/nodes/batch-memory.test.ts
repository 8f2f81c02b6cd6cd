import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { callTogether, type JsonRpc, NoBatchError } from '../json-rpc.ts'
import { rememberBatches } from './batch-memory.ts'

/** Two machines behind one address: batches come to the one, single calls to the other. */
function open() {
  const clock = createManualClock(0)
  const state = { refusal: undefined as NoBatchError | undefined, batches: 0 }
  const node: JsonRpc = {
    call: async () => 'another machine',
    async batch(calls) {
      state.batches++
      if (state.refusal) throw state.refusal
      return calls.map(() => 'one machine')
    },
  }
  const rpc = rememberBatches(clock, node)
  const ask = (count: number) =>
    callTogether(
      rpc,
      Array.from({ length: count }, () => ['read', []] as const),
    )
  return { clock, state, ask }
}
const SINGLE = ['another machine', 'another machine']

test('a bare status to a batch as long as one that was taken is an illness, and is not remembered', async () => {
  const { clock, state, ask } = open()
  await ask(3)
  state.refusal = new NoBatchError(403)
  await expect(ask(2)).rejects.toThrow('the chain node answered 403')
  clock.advance(59 * 60_000)
  await expect(ask(3)).rejects.toThrow('the chain node answered 403')
  state.refusal = undefined
  expect(await ask(2)).toEqual(['one machine', 'one machine'])
})

test('to a longer one it is a refusal, and to any after an hour', async () => {
  const { clock, state, ask } = open()
  await ask(2)
  state.refusal = new NoBatchError(403)
  expect(await ask(3)).toHaveLength(3)
  clock.advance(60 * 60_000)
  expect(await ask(2)).toEqual(SINGLE)
})

test('words are a refusal at once, and are remembered for ten minutes', async () => {
  const { clock, state, ask } = open()
  await ask(2)
  state.refusal = new NoBatchError()
  for (let time = 0; time < 3; time++) expect(await ask(2)).toEqual(SINGLE)
  expect(state.batches).toBe(2)
  clock.advance(10 * 60_000)
  await ask(2)
  expect(state.batches).toBe(3)
})
