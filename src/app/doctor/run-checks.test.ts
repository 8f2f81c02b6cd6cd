import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { type Check, ok } from './check.ts'
import { runChecks } from './run-checks.ts'

const ports = () => ({
  clock: createManualClock(0),
  timeoutMs: 2_000,
  redact: (text: string) => text.replaceAll('hush', '…'),
})
const checkOf = (name: string, run: Check['run']): Check => ({
  name,
  group: 'machine',
  advice: `mend ${name}`,
  run,
})

test('tells in the order of the list, whoever ends first', async () => {
  const ends = new Map<string, () => void>()
  const waiting = (name: string) =>
    checkOf(name, () => new Promise((resolve) => ends.set(name, () => resolve(ok('well')))))
  const results = runChecks([waiting('first'), waiting('second')], ports())
  const first = results.next()
  while (!ends.has('second')) await new Promise(setImmediate)
  ends.get('second')?.()
  ends.get('first')?.()
  expect((await first).value).toMatchObject({ name: 'first', state: 'ok' })
  expect((await results.next()).value).toMatchObject({ name: 'second', state: 'ok' })
  expect((await results.next()).done).toBe(true)
})

test('one that does not end is a failure after the time limit, and is told to end', async () => {
  const given = ports()
  let signal: AbortSignal | undefined
  const hung = checkOf('hung', (its) => {
    signal = its
    return new Promise(() => {})
  })
  const result = runChecks([hung], given).next()
  while (!signal) await new Promise(setImmediate)
  expect(signal.aborted).toBe(false)
  given.clock.advance(2_000)
  expect((await result).value).toMatchObject({
    state: 'failure',
    what: 'no answer within 2 s',
    next: ['mend hung'],
  })
  expect(signal.aborted).toBe(true)
})

test('an error is a failure with what to do, and without secrets', async () => {
  const broken = checkOf('broken', async () => {
    throw new Error('the key hush is refused')
  })
  expect((await runChecks([broken], ports()).next()).value).toMatchObject({
    state: 'failure',
    what: 'the key … is refused',
    next: ['mend broken'],
  })
})
