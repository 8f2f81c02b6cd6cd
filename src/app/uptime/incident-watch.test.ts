import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Incident } from '../../ledger/ports/uptime-book.ts'
import { sampleIncident } from '../../testing/ledger/uptime/sample-uptime.ts'
import { createIncidentWatch, type Found } from './incident-watch.ts'

const STATES = { o: 'ok', g: 'degraded', d: 'down', i: 'idle' } as const

/** A check a minute, from minute 0 on: o ok, g degraded, d down, i idle. */
function follow(checks: string, open?: Incident, lastMs?: number): (Incident | undefined)[] {
  const watch = createIncidentWatch('oracle', open, lastMs)
  return Array.from(checks, (letter, minute) => {
    const state: Found['state'] = STATES[letter as keyof typeof STATES]
    return watch.check({ state, cause: `${state} at ${minute}` }, minute * MINUTE_MS)
  })
}
const last = (checks: string, open?: Incident, lastMs?: number) =>
  follow(checks, open, lastMs)
    .filter((each) => each !== undefined)
    .at(-1)

describe('an incident', () => {
  test.each(['', 'o', 'd', 'odododod', 'ogo', 'iii', 'iiiiiiiiiiiiiiii'])('is not made of %j', (checks) =>
    expect(last(checks)).toBeUndefined(),
  )

  test('begins with two bad checks, at the first of them', () => {
    const told = sampleIncident({ beganMs: MINUTE_MS, worst: 'down', cause: 'down at 1' })
    expect(follow('odd')).toEqual([undefined, undefined, told])
  })

  test('ends with two good ones, at the first of them; a single one does not end it', () => {
    expect(last('ddo')).toMatchObject({ endedMs: undefined })
    expect(last('ddodo')).toMatchObject({ endedMs: undefined })
    expect(last('ddodoo')).toMatchObject({ beganMs: 0, endedMs: 4 * MINUTE_MS })
  })

  test('is told once, and again only when it gets worse or ends', () => {
    const told = follow('gggddgoo')
    expect(told.map((each) => each?.worst)).toEqual([
      ...[undefined, 'degraded', undefined, 'down', undefined, undefined, undefined, 'down'],
    ])
    expect(told[3]).toMatchObject({ beganMs: 0, cause: 'down at 3' })
  })

  test('has the worst of the checks that began it', () => {
    expect(last('gd')).toMatchObject({ worst: 'down', cause: 'down at 1' })
    expect(last('dg')).toMatchObject({ worst: 'down', cause: 'down at 0' })
    expect(last('gogg')).toMatchObject({ worst: 'degraded', cause: 'degraded at 2' })
  })

  test('can come again', () => {
    expect(last('ddoodd')).toMatchObject({ beganMs: 4 * MINUTE_MS, endedMs: undefined })
  })

  test('is over at its last bad check when nobody has asked for ten', () => {
    expect(last(`ddd${'i'.repeat(9)}`)).toMatchObject({ endedMs: undefined })
    expect(last(`ddd${'i'.repeat(10)}`)).toMatchObject({ endedMs: 2 * MINUTE_MS })
  })

  test('goes on over a restart, also where its part is gone', () => {
    const open = sampleIncident({ beganMs: -5_000 })
    expect(last('o', open)).toBeUndefined()
    expect(last('oo', open)).toEqual({ ...open, endedMs: 0 })
    expect(last('i'.repeat(10), open, -100)).toEqual({ ...open, endedMs: -100 })
  })

  test('never ends before it began, even if the clock was set back', () => {
    const open = sampleIncident({ beganMs: 9 * MINUTE_MS })
    expect(last('oo', open)).toEqual({ ...open, endedMs: 9 * MINUTE_MS })
  })
})
