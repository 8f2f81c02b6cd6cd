import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createBatches } from './batches.ts'

function open() {
  const clock = createManualClock(0)
  const sent: { keys: readonly string[]; atMs: number }[] = []
  const batches = createBatches({
    ...{ clock, size: 2, gatherMs: 10, allowance: { burst: 2, perSecond: 1 }, maxWaitMs: 1_500 },
    send: (keys) => void sent.push({ keys, atMs: clock.now() }),
  })
  return { clock, sent, ...batches }
}

it('gathers keys up to the size of a request', () => {
  const { clock, sent, add } = open()
  expect(['a', 'b', 'c'].map(add)).toEqual([true, true, true])
  clock.advance(10)
  expect(add('d')).toBe(true)
  expect(sent).toEqual([
    { keys: ['a', 'b'], atMs: 10 },
    { keys: ['c'], atMs: 10 },
  ])
})

it('beyond the allowance a batch waits, and one that would wait too long is not opened', () => {
  const { clock, sent, add } = open()
  expect([...'abcdefgh'].map(add)).toEqual([...Array(6).fill(true), false, false])
  clock.advance(1_000)
  expect(sent.map(({ atMs }) => atMs)).toEqual([10, 10, 1_000])
  expect(add('i')).toBe(true)
  clock.advance(1_000)
  expect(sent.at(-1)).toEqual({ keys: ['i'], atMs: 2_000 })
})

it('further requests of a batch count as well', () => {
  const { takeOneMore, add } = open()
  expect([takeOneMore(), takeOneMore(), takeOneMore(), takeOneMore()]).toEqual([true, true, true, false])
  expect(add('a')).toBe(false)
})
