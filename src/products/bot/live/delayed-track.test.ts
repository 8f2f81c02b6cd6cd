import { expect, test } from 'vitest'
import { createDelayedTrack, DELAY_S, TOLD_S } from './delayed-track.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')

/** A clock that can be set, and a track that is given a sample in every second that truly passes. */
function createWorld() {
  const track = createDelayedTrack()
  let passedS = 0
  let setMs = 0
  const nowMs = () => NOON_MS + passedS * 1000 + setMs
  const told = () => track.told(nowMs()).map(({ probabilityUp }) => probabilityUp)
  return {
    told,
    set: (ms: number) => {
      setMs += ms
    },
    /** Samples carry the second that truly was. */
    pass(seconds: number) {
      for (let n = 0; n < seconds; n++) {
        passedS++
        track.take({
          atMs: nowMs(),
          probabilityUp: passedS,
          marketUp: undefined,
          bookImbalance: undefined,
        })
        const newest = told().at(-1) ?? 0
        expect(newest, `told after ${passedS} s`).toBeLessThanOrEqual(Math.max(0, passedS - DELAY_S))
      }
    },
  }
}

test('a clock that is set forward tells nothing early', () => {
  const { set, pass, told } = createWorld()
  pass(100)
  set(DELAY_S * 1000)
  expect(told()).toEqual([])
  pass(DELAY_S)
  expect(told().at(-1)).toBe(100)
  // By less than the delay, and by so much that all is forgotten.
  set(60_000)
  pass(100)
  expect(told().at(-1)).toBe(200)
  set(86_400_000)
  expect(told().at(-1)).toBe(200)
  pass(DELAY_S)
  expect(told()).toEqual([])
  pass(1)
  expect(told()).toEqual([501])
})

test('a clock that is set back tells nothing early, and what is kept stays bounded', () => {
  const { set, pass, told } = createWorld()
  pass(400)
  set(-86_400_000)
  pass(3_000)
  expect(told()).toHaveLength(TOLD_S)
  expect(told().at(-1)).toBe(3_100)
})
