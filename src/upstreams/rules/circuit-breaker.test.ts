import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createCircuitBreaker, type Verdict } from './circuit-breaker.ts'

function start() {
  const clock = createManualClock(0)
  const breaker = createCircuitBreaker({ clock, random: () => 1 })
  const end = (verdict: Verdict, times = 1) => {
    for (let each = 0; each < times; each++) breaker.enter()(verdict)
  }
  return { clock, breaker, end }
}

test('five failures in a row open it, four do not, and a success starts the count anew', () => {
  const { breaker, end } = start()
  end('down', 4)
  end('well')
  end('down', 4)
  expect([breaker.isOpen(), breaker.waitMs()]).toEqual([false, 0])
  end('down')
  expect([breaker.isOpen(), breaker.waitMs()]).toEqual([true, 1_000])
})

test('what says nothing about the host neither counts nor starts the count anew', () => {
  const { breaker, end } = start()
  end('down', 4)
  end('unknown', 10)
  expect(breaker.isOpen()).toBe(false)
  end('down')
  expect(breaker.isOpen()).toBe(true)
})

test('failed and malformed replies are counted apart', () => {
  const { breaker, end } = start()
  end('down', 4)
  end('malformed', 4)
  expect(breaker.isOpen()).toBe(false)
  end('malformed')
  expect(breaker.isOpen()).toBe(true)
})

test('after the wait one request tries; the wait doubles up to 15 s while that fails', () => {
  const { breaker, end, clock } = start()
  end('down', 5)
  const waits: number[] = []
  for (let tries = 0; tries < 6; tries++) {
    waits.push(breaker.waitMs())
    clock.advance(breaker.waitMs() - 1)
    expect(breaker.waitMs()).toBe(1)
    clock.advance(1)
    expect(breaker.waitMs()).toBe(0)
    const judge = breaker.enter()
    expect(breaker.waitMs()).toBeGreaterThan(0)
    judge('down')
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  clock.advance(15_000)
  end('well')
  expect([breaker.isOpen(), breaker.waitMs()]).toEqual([false, 0])
  end('down', 5)
  expect(breaker.waitMs()).toBe(1_000)
})

test('a try that ends without a verdict lets another one try', () => {
  const { breaker, end, clock } = start()
  end('down', 5)
  clock.advance(1_000)
  breaker.enter()('unknown')
  expect([breaker.isOpen(), breaker.waitMs()]).toEqual([true, 0])
})

test('what was under way when it opened does not make the wait longer, and ends it if it succeeds', () => {
  const { breaker, end, clock } = start()
  const under = [breaker.enter(), breaker.enter()]
  end('down', 5)
  clock.advance(400)
  under[0]?.('down')
  expect(breaker.waitMs()).toBe(600)
  under[1]?.('well')
  expect(breaker.isOpen()).toBe(false)
})

test('a clock that is set back does not keep it open', () => {
  const manual = createManualClock(0)
  let backMs = 0
  const clock = { ...manual, now: () => manual.now() - backMs }
  const breaker = createCircuitBreaker({ clock, random: () => 1 })
  for (let each = 0; each < 5; each++) breaker.enter()('down')
  backMs = 3_600_000
  expect(breaker.waitMs()).toBe(1_000)
  manual.advance(1_000)
  expect(breaker.waitMs()).toBe(0)
})
