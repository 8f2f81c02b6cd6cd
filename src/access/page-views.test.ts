import { beforeEach, expect, test } from 'vitest'
import type { Clock } from '../core/time/clock.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time/time.ts'
import type { PageViewSum } from '../ledger/ports/page-view-log.ts'
import { createPageViewCounter } from './page-views.ts'

const NOON_MS = Date.UTC(2026, 0, 5, 12)
const own = new Set(['/', '/docs'])
let recorded: PageViewSum[]
let clock: ReturnType<typeof createManualClock>
let timers: number
let counter: ReturnType<typeof createPageViewCounter>
beforeEach(() => {
  recorded = []
  clock = createManualClock(NOON_MS)
  timers = 0
  const counting: Clock = {
    ...clock,
    after(ms, task) {
      timers++
      let isOver = false
      const end = () => {
        if (!isOver) timers--
        isOver = true
      }
      const cancel = clock.after(ms, () => {
        end()
        task()
      })
      return () => {
        end()
        cancel()
      }
    },
  }
  counter = createPageViewCounter({ clock: counting, own, log: { record: (sum) => void recorded.push(sum) } })
})

const sumOf = (page: string) => {
  const rows = recorded.filter((row) => row.page === page)
  const add = (field: 'views' | 'visitors') => rows.reduce((sum, row) => sum + row[field], 0)
  return [add('views'), add('visitors')]
}
const pages = () => new Set(recorded.map(({ page }) => page))

test('a visitor counts once a day, and once a minute as a view', () => {
  for (let n = 0; n < 5; n++) counter.count('198.51.100.1', '/docs')
  counter.count('198.51.100.2', '/docs')
  counter.count('198.51.100.1', '/')
  expect([sumOf('/docs'), sumOf('/'), sumOf('*')]).toEqual([
    [2, 2],
    [1, 1],
    [3, 2],
  ])
  clock.advance(MINUTE_MS)
  counter.count('198.51.100.1', '/docs')
  expect([sumOf('/docs'), sumOf('*')]).toEqual([
    [3, 2],
    [4, 2],
  ])
})

test('the next day nobody is known, also where nobody came meanwhile', () => {
  counter.count('198.51.100.1', '/docs')
  clock.advance(DAY_MS)
  counter.count('198.51.100.1', '/docs')
  expect(sumOf('/docs')).toEqual([2, 2])
  expect(new Set(recorded.map(({ day }) => day)).size).toBe(2)
})

test('a day ends at midnight, and leaves no timer behind', () => {
  counter.count('198.51.100.1', '/docs')
  expect(timers).toBe(1)
  clock.advance(12 * HOUR_MS)
  expect(timers).toBe(0)
  counter.count('198.51.100.1', '/docs')
  counter.stop()
  expect(timers).toBe(0)
})

test('nothing that is recorded holds an address', () => {
  counter.count('198.51.100.1', '/docs')
  expect(JSON.stringify(recorded)).not.toMatch(/198|[\w-]{16}/)
})

test('pages of others have 200 rows a day, and odd addresses none; ours always have theirs', () => {
  for (let n = 0; n < 1_000; n++) counter.count(`client ${n}`, `/blog/${n}`)
  expect(pages().size).toBe(202)
  expect(sumOf('(other)')[0]).toBe(800)
  counter.count('10.1.0.1', '/docs')
  counter.count('10.1.0.1', '/blog/3')
  expect([sumOf('/docs'), sumOf('/blog/3')[0]]).toEqual([[1, 1], 2])
  for (const odd of ['<script>', '', 'docs', '/a b', `/${'x'.repeat(100)}`, '/ü', '*', '/a?b', '/\n'])
    counter.count('10.2.0.1', odd)
  expect(pages().size).toBe(203)
})

test('one client brings up ten pages of others a day, and leaves the rest to other clients', () => {
  for (let n = 0; n < 1_000; n++) counter.count('198.51.100.1', `/made-up/${n}`)
  expect(sumOf('(other)')[1]).toBe(1)
  expect(pages().size).toBe(12)
  counter.count('198.51.100.2', '/blog')
  counter.count('198.51.100.1', '/blog')
  expect(sumOf('/blog')).toEqual([2, 2])
  clock.advance(DAY_MS)
  counter.count('198.51.100.1', '/tomorrow')
  expect(sumOf('/tomorrow')).toEqual([1, 1])
})

test('a crowd beyond what is remembered still counts as views', () => {
  for (let n = 0; n < 30_000; n++) counter.count(`client ${n}`, '/docs')
  expect(sumOf('/docs')).toEqual([30_000, 25_000])
})
