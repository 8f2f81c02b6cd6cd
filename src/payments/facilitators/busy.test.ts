import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../sandbox/facilitator/faults.ts'
import { openPoolWorld, type PoolMember, signNext } from '../../testing/payments/pool-world.ts'
import { OPENS_AFTER_FAULTS } from './breaker.ts'
import { LONGEST_HOLD_MS, PUBLIC_LIMITS } from './load.ts'

async function openWorld() {
  const world = await openPoolWorld()
  onTestFinished(world.close)
  return world
}

/** What a member is asked on one path, where it answers with `fault`. */
function spoil(member: PoolMember, path: string, fault: Fault) {
  const calls = { count: 0 }
  member.tamper = (call) => {
    if (call.path !== path) return undefined
    calls.count++
    return fault
  }
  return calls
}
const busy = (retryAfterS: number): Fault => ({ kind: 'busy', retryAfterS })

test('a busy facilitator is left alone for as long as it asks, and is not called broken', async () => {
  const { clock, pool, members, buy } = await openWorld()
  const [a, b] = members
  const calls = spoil(a, '/verify', busy(30))
  for (let time = 0; time < OPENS_AFTER_FAULTS + 2; time++)
    expect(await buy(await signNext())).toEqual({ ended: 'sold' })
  expect([calls.count, b.verified.length]).toEqual([1, OPENS_AFTER_FAULTS + 2])
  expect(pool.health()[0]).toMatchObject({ lastFault: 'busy' })
  expect(pool.health()[0]?.networks.map(({ verify }) => verify)).toEqual(['closed', 'closed'])
  clock.advance(29_999)
  await buy(await signNext())
  expect(calls.count).toBe(1)
  a.tamper = () => undefined
  clock.advance(1)
  expect(await buy(await signNext())).toEqual({ ended: 'sold' })
  expect(a.verified).toHaveLength(1)
})

test('when all are busy the buyer hears when to come back, and nothing was charged', async () => {
  const { clock, members, rows, buy } = await openWorld()
  const [a, b] = members
  spoil(a, '/verify', busy(30))
  spoil(b, '/verify', busy(20))
  const payment = await signNext()
  expect(await buy(payment)).toEqual({ ended: 'payments_unavailable', retryAfterS: 20 })
  clock.advance(5_000)
  expect(await buy(payment)).toEqual({ ended: 'payments_unavailable', retryAfterS: 15 })
  expect([rows.size, a.settled.length + b.settled.length]).toEqual([0, 0])
  for (const member of members) member.tamper = () => undefined
  clock.advance(15_000)
  expect(await buy(payment)).toEqual({ ended: 'sold' })
})

test('a facilitator that wants to be left alone for a day is asked again sooner', async () => {
  const { clock, members, buy } = await openWorld()
  const [a] = members
  const calls = spoil(a, '/verify', busy(86_400))
  await buy(await signNext())
  clock.advance(LONGEST_HOLD_MS)
  await buy(await signNext())
  expect(calls.count).toBe(2)
})

test('what a busy facilitator does not settle, the next one does', async () => {
  const { members, buy } = await openWorld()
  const [a, b] = members
  spoil(a, '/settle', busy(30))
  expect(await buy(await signNext())).toEqual({ ended: 'sold' })
  expect([a.settled.length, b.settled.length]).toEqual([0, 1])
})

test('200 empty wallets at once cost few calls of facilitators, and leave room for who pays', async () => {
  const { funds, members, buy } = await openWorld()
  const [a, b] = members
  const refused = [a, b].map((member) => spoil(member, '/verify', { kind: 'refuse', reason: 'insufficient' }))
  funds.has = false
  const payments = await Promise.all(Array.from({ length: 200 }, () => signNext()))
  const endings = await Promise.all(payments.map((payment) => buy(payment)))
  expect(new Set(endings.map(({ ended }) => ended))).toEqual(new Set(['insufficient_funds']))
  const [atA = { count: 0 }, atB] = refused
  expect(atA.count).toBeLessThanOrEqual(PUBLIC_LIMITS.verify.inFlight)
  expect(atB?.count).toBe(0)
  for (const member of members) member.tamper = () => undefined
  funds.has = true
  expect(await buy(await signNext())).toEqual({ ended: 'sold' })
})

test('no facilitator gets more calls at once than its places, and nobody waits for one', async () => {
  const { members, buy } = await openWorld()
  const [a, b] = members
  const { inFlight } = PUBLIC_LIMITS.verify
  const slow: Fault = { kind: 'slow_work', ms: 60_000 }
  const calls = [a, b].map((member) => spoil(member, '/verify', slow))
  const payments = await Promise.all(Array.from({ length: 2 * inFlight + 5 }, () => signNext()))
  const endings: unknown[] = []
  for (const payment of payments) void buy(payment).then((ending) => endings.push(ending))
  await expect
    .poll(() => [...calls.map(({ count }) => count), endings.length], { timeout: 60_000 })
    .toEqual([inFlight, inFlight, 5])
  expect(endings).toEqual(Array(5).fill({ ended: 'payments_unavailable', retryAfterS: 1 }))
})
