import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { paymentOf } from '../../testing/payments/bounded-shop.ts'
import { OPENS_AFTER_FAULTS } from './breaker.ts'
import { createFacilitators } from './facilitators.ts'
import { type FacilitatorMember, faulty } from './members/member.ts'

/** Fails on payments of odd wallets, or on all. */
function start() {
  const clock = createManualClock(1_000_000)
  const asked: string[] = []
  const world = { isDown: false, isSilent: false }
  const member: FacilitatorMember = {
    name: 'a',
    async verify({ paymentPayload }) {
      const payer = String(paymentPayload.payer)
      asked.push(payer)
      if (world.isSilent || payer.startsWith('slow')) return new Promise(() => {})
      if (world.isDown || payer.startsWith('odd')) return faulty('server_error')
      return { kind: 'answer', answer: { isValid: true, reason: undefined } }
    },
    settle: async () => faulty('unreachable'),
    supported: async () => ({
      kind: 'answer',
      answer: [{ network: paymentOf('a').network, feePayers: [] }],
    }),
  }
  const pool = createFacilitators({ clock, log: silentLog, members: [member], random: () => 0.5 })
  const verify = async (payer: string) => {
    const { kind } = await pool.verify(paymentOf(payer))
    await new Promise(setImmediate)
    return kind
  }
  const failOften = async (times: number, name = 'odd') => {
    for (let n = 0; n < times; n++) await verify(`${name} ${n}`)
  }
  return { clock, asked, world, pool, verify, failOften }
}

test('any number of wallets whose payments it fails on close it to nobody', async () => {
  const { clock, asked, verify, failOften } = start()
  expect(await verify('buyer')).toBe('valid')
  for (let n = 0; n < 10; n++) {
    clock.advance(3_000)
    await failOften(OPENS_AFTER_FAULTS, `odd ${n}`)
    expect(await verify('buyer')).toBe('valid')
  }
  // It was asked once more for every third of them, about a payment that was good.
  expect(asked.filter((payer) => payer === 'buyer')).toHaveLength(1 + 10 + 10)
})

test('one that fails on all of them is left alone after as many as ever, and is back with its first answer', async () => {
  const { clock, asked, world, verify, failOften } = start()
  expect(await verify('buyer')).toBe('valid')
  world.isDown = true
  clock.advance(3_000)
  await failOften(OPENS_AFTER_FAULTS, 'any')
  asked.length = 0
  expect(await verify('another')).toBe('unavailable')
  expect(asked).toEqual([])
  clock.advance(30_000)
  // An odd one is the probe: it is the good one that decides.
  await failOften(1)
  expect(asked).toEqual(['odd 0', 'buyer'])
  expect(await verify('another')).toBe('unavailable')
  world.isDown = false
  clock.advance(30_000)
  await failOften(1)
  expect(await verify('another')).toBe('valid')
})

test('what it has told anybody a moment ago is a sign of life, and it is not asked again', async () => {
  const { clock, asked, verify, failOften } = start()
  expect(await verify('buyer')).toBe('valid')
  clock.advance(2_999)
  await failOften(3 * OPENS_AFTER_FAULTS)
  expect(await verify('buyer')).toBe('valid')
  expect(asked.filter((payer) => payer === 'buyer')).toHaveLength(2)
})

test('payments that it is slow with close it to nobody either', async () => {
  const { clock, verify, pool, world } = start()
  expect(await verify('buyer')).toBe('valid')
  for (let n = 0; n < 2 * OPENS_AFTER_FAULTS; n++) {
    clock.advance(3_000)
    const slow = pool.verify(paymentOf(`slow ${n}`))
    await new Promise(setImmediate)
    clock.advance(5_000)
    expect((await slow).kind).toBe('unavailable')
    await new Promise(setImmediate)
  }
  expect(await verify('buyer')).toBe('valid')
  // One that is slow with everybody is left alone.
  world.isSilent = true
  for (let n = 0; n < OPENS_AFTER_FAULTS; n++) {
    clock.advance(3_000)
    const late = pool.verify(paymentOf('buyer'))
    await new Promise(setImmediate)
    clock.advance(5_000)
    await late
    await new Promise(setImmediate)
  }
  clock.advance(5_000)
  await new Promise(setImmediate)
  world.isSilent = false
  expect(await verify('buyer')).toBe('unavailable')
})

test('where none was good yet, wallets count as ever', async () => {
  const { asked, verify, failOften } = start()
  await failOften(OPENS_AFTER_FAULTS)
  asked.length = 0
  expect(await verify('buyer')).toBe('unavailable')
  expect(asked).toEqual([])
})
