import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createPlaces, type PlacesOptions } from './places.ts'

function open(over: Partial<PlacesOptions> = {}) {
  const clock = createManualClock(0)
  const places = createPlaces({ clock, first: 2, most: 4, line: 3, waitMs: 1_000, ...over })
  const takeAll = (key: string) => {
    let taken = 0
    while (places.take(key)) taken++
    return taken
  }
  return { clock, ...places, takeAll }
}

test('everybody begins with few places of his own', () => {
  const { takeAll, leave } = open()
  expect([takeAll('a'), takeAll('b')]).toEqual([2, 2])
  leave('a')
  expect(takeAll('a')).toBe(1)
})

test('good work adds places up to a limit, bad work and a long absence take them back', () => {
  const { takeAll, grow, shrink, leave, clock } = open()
  grow('a')
  expect(takeAll('a')).toBe(3)
  for (let n = 0; n < 5; n++) grow('a')
  expect(takeAll('a')).toBe(1)
  shrink('a')
  for (let n = 0; n < 4; n++) leave('a')
  expect(takeAll('a')).toBe(2)
  grow('b')
  clock.advance(10 * 60_000)
  expect(takeAll('b')).toBe(2)
})

test('who waits gets the next place, before who comes later', async () => {
  const { takeAll, take, wait, leave } = open()
  takeAll('a')
  const ended: string[] = []
  const first = wait('a').then((has) => ended.push(`first ${has}`))
  const second = wait('a').then((has) => ended.push(`second ${has}`))
  leave('a')
  await first
  expect([ended, take('a')]).toEqual([['first true'], false])
  leave('a')
  await second
  expect(ended).toEqual(['first true', 'second true'])
})

test('a line that is full, or too slow, is told so', async () => {
  const { takeAll, wait, leave, clock, take } = open()
  takeAll('a')
  const waiting = [wait('a'), wait('a'), wait('a')]
  expect(await wait('a')).toBe(false)
  clock.advance(1_000)
  expect(await Promise.all(waiting)).toEqual([false, false, false])
  leave('a')
  expect(take('a')).toBe(true)
})

test('what else is taken leaves less room, and nobody waits for a place that nothing under way can free', async () => {
  let others = 1
  const { takeAll, wait, leave } = open({ alsoTaken: () => others })
  expect(takeAll('a')).toBe(1)
  const waiting = wait('a')
  others = 2
  leave('a')
  expect([await waiting, await wait('a')]).toEqual([false, false])
  others = 0
  expect(await wait('a')).toBe(true)
})
