import { expect, test } from 'vitest'
import { EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import { LONGEST_PAUSE_MS, OPENS_AFTER_FAULTS } from '../../payments/facilitators/breaker.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { openUnsettledPool } from '../../testing/payments/unsettled-pool.ts'
import { plainCause } from '../uptime/plain-cause.ts'
import { facilitatorDependencies, facilitatorsCheck } from './facilitators.ts'
import { createWatch } from './watch.ts'

/** Its breaker lets one try out again, also where it paused for the longest time. */
const TRY_IS_DUE_MS = 2 * LONGEST_PAUSE_MS
const SINCE = '2026-01-05T12:00:00.000Z (unsettled)'

test('one that has settled nothing since its breaker opened does not settle, while the gate may try it', async () => {
  const { clock, pool, failOften, trySettle, takesPayments, mend } = await openUnsettledPool()
  const check = () => facilitatorsCheck(pool.health())
  expect(check()).toMatchObject({ needed: true, state: 'ok', detail: '1 of 1 settles' })
  await failOften()
  const down = {
    state: 'down',
    latencyMs: null,
    detail: `0 of 1 settles: pay.example has not settled on base since ${SINCE}`,
  }
  expect([check(), await takesPayments()]).toMatchObject([down, false])
  clock.advance(TRY_IS_DUE_MS)
  expect([check(), await takesPayments()]).toMatchObject([down, true])
  await trySettle()
  expect(check()).toMatchObject({ state: 'down' })
  clock.advance(TRY_IS_DUE_MS)
  mend()
  expect(check()).toMatchObject({ state: 'down' })
  await trySettle()
  expect(check()).toMatchObject({ state: 'ok', detail: '1 of 1 settles' })
})

test('one at which nothing listens is not well because a check is due, and is well soon after it is back', async () => {
  const { clock, pool, tryVerify, setAway } = await openUnsettledPool()
  const state = () => facilitatorsCheck(pool.health()).state
  const [dependency] = facilitatorDependencies(pool, clock)
  const isWell = () =>
    dependency?.probe().then(
      () => true,
      () => false,
    )
  setAway(true)
  clock.advance(TRY_IS_DUE_MS)
  await tryVerify()
  expect([state(), await isWell()]).toEqual(['degraded', false])
  for (let times = 1; times < OPENS_AFTER_FAULTS; times++) await tryVerify()
  expect([state(), await isWell()]).toEqual(['down', false])
  clock.advance(TRY_IS_DUE_MS)
  expect([state(), await isWell()]).toEqual(['down', false])
  setAway(false)
  clock.advance(TRY_IS_DUE_MS)
  expect([await isWell(), state()]).toEqual([true, 'ok'])
})

test('one that settles on the other network only is degraded', async () => {
  const { clock, pool, failOften } = await openUnsettledPool([EVM_NETWORK, SVM_NETWORK])
  await failOften()
  for (const pauseMs of [0, TRY_IS_DUE_MS]) {
    clock.advance(pauseMs)
    const { state, detail } = facilitatorsCheck(pool.health())
    expect([state, detail]).toEqual([
      'degraded',
      `1 of 1 settles, but pay.example has not settled on base since ${SINCE}`,
    ])
  }
})

test('one beside others is named with what it lacks', async () => {
  const [well] = (await openUnsettledPool()).pool.health()
  if (!well) throw new Error('nobody is in the pool')
  const unknown = { ...well, name: 'a.example', networks: [], supportedFault: 'unreachable' as const }
  const networks = [{ network: SVM_NETWORK, verify: 'open', settle: 'closed' } as const]
  const blind = { ...well, name: 'b.example', networks, lastFault: 'timeout' as const, lastFaultAtMs: 0 }
  const silent = { ...well, name: 'c.example', supportedFault: 'edge' as const }
  expect(facilitatorsCheck([unknown, blind, well, silent])).toMatchObject({
    state: 'degraded',
    detail: [
      '2 of 4 settle, but a.example does not tell what it supports (unreachable)',
      'b.example has not checked on solana since 1970-01-01T00:00:00.000Z (timeout)',
      'c.example does not tell what it supports (edge)',
    ].join(', '),
  })
  expect(facilitatorsCheck([{ ...well, networks: [] }])).toMatchObject({
    state: 'down',
    detail: '0 of 1 settles: pay.example settles on none of our networks',
  })
  expect(facilitatorsCheck([])).toMatchObject({ state: 'down', detail: '0 of 0 settle' })
})

test('the log says that it is well again once it has settled, and not because a try is due', async () => {
  const { clock, pool, failOften, trySettle, mend } = await openUnsettledPool()
  const log = createKeptLog()
  const [dependency] = facilitatorDependencies(pool, clock)
  if (!dependency) throw new Error('nothing is watched')
  const watch = createWatch(dependency, { clock, log })
  const pass = async (ms: number) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= dependency.everyMs) {
      clock.advance(dependency.everyMs)
      await new Promise(setImmediate)
    }
  }
  await watch.start()
  await failOften()
  for (let tries = 0; tries < 3; tries++) {
    await pass(TRY_IS_DUE_MS)
    await trySettle()
  }
  await pass(TRY_IS_DUE_MS)
  mend()
  await trySettle()
  await pass(dependency.everyMs)
  watch.stop()
  const facts = { dependency: 'facilitator', host: 'pay.example', cause: 'unsettled' }
  expect(log.lines).toEqual([
    { level: 'warn', text: 'a dependency is down', ...facts },
    { level: 'info', text: 'a dependency is well again', ...facts, downMs: 4 * TRY_IS_DUE_MS },
  ])
})

test('what /status keeps of it says why, and not where', async () => {
  const { pool, failOften } = await openUnsettledPool()
  await failOften()
  expect(plainCause(facilitatorsCheck(pool.health()).detail)).toBe(
    `0 of 1 settles: an address has not settled on base since ${SINCE}`,
  )
})
