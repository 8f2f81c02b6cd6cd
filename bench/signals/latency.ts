import { type Clock, systemClock } from '../../src/core/time/clock.ts'
import { EVENTS_PER_S, marketEvents, tell } from './events.ts'
import { createWorld } from './world.ts'

const MINUTE_MS = 60_000
/** Not counted: the engine takes its history, the compiler its time. */
const WARM_UP_S = 2
/** A minute ends this long after the count begins, so that the work of its end is in it. */
const MINUTE_ENDS_AFTER_S = 1

export type Latency = { events: number; signals: number; handed: Percentiles; due: Percentiles }
export type Percentiles = { p50Us: number; p99Us: number; maxUs: number }

/**
 * Events at the rate of busy markets, in real time. `handed` is from handing an event to the sink until the listener has
 * read the signal; `due` is from when the event was due, so that it has every pause of the process in it.
 */
export async function measureLatency(seconds: number): Promise<Latency> {
  const clock = clockWithMinuteEndingIn((WARM_UP_S + MINUTE_ENDS_AFTER_S) * 1000)
  const { sink, engine } = createWorld(clock)
  let [signals, readAtMs] = [0, 0]
  engine.onSignal((coin) => {
    if (engine.signal(coin)) signals++
    readAtMs = performance.now()
  })
  const warmUp = WARM_UP_S * EVENTS_PER_S
  const total = Math.floor(seconds * EVENTS_PER_S)
  const handed = new Float64Array(total)
  const due = new Float64Array(total)
  const events = marketEvents(clock.now(), 'latency')
  const startMs = performance.now()
  for (let at = -warmUp; at < total; ) {
    const dueMs = startMs + ((at + warmUp) * 1000) / EVENTS_PER_S
    if (performance.now() < dueMs) {
      await new Promise(setImmediate)
      continue
    }
    if (at === 0) signals = 0
    const event = events.next().value
    const handedMs = performance.now()
    tell(sink, event)
    if (at >= 0) {
      handed[at] = readAtMs - handedMs
      due[at] = readAtMs - dueMs
    }
    at++
  }
  engine.stop()
  return { events: total, signals, handed: percentilesOf(handed), due: percentilesOf(due) }
}

/** The system's clock, moved so that a minute ends after `ms`. */
function clockWithMinuteEndingIn(ms: number): Clock {
  const now = Date.now()
  const movedMs = Math.ceil((now + ms) / MINUTE_MS) * MINUTE_MS - (now + ms)
  return { ...systemClock, now: () => Date.now() + movedMs }
}

function percentilesOf(ms: Float64Array): Percentiles {
  const sorted = ms.toSorted()
  const us = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 1000
  return { p50Us: us(0.5), p99Us: us(0.99), maxUs: us(1) }
}
