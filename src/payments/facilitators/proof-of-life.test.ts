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
  const world = { isDown: false }
  const member: FacilitatorMember = {
    name: 'a',
    async verify({ paymentPayload }) {
      const payer = String(paymentPayload.payer)
      asked.push(payer)
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
  return { clock, asked, world, verify, failOften }
}

test('any number of wallets whose payments it fails on close it to nobody', async () => {
  const { asked, verify, failOften } = start()
  expect(await verify('buyer')).toBe('valid')
  for (let n = 0; n < 10; n++) {
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

test('where none was good yet, wallets count as ever', async () => {
  const { asked, verify, failOften } = start()
  await failOften(OPENS_AFTER_FAULTS)
  asked.length = 0
  expect(await verify('buyer')).toBe('unavailable')
  expect(asked).toEqual([])
})
