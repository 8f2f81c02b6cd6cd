import { expect, test } from 'vitest'
import { customerOf, networkOf } from '../../../access/client-key.ts'
import { sleep } from '../../../core/time/clock.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import type { Offer, Sale } from '../sell.ts'
import { STRANGERS } from './limits.ts'
import { createStrangers } from './strangers.ts'

const REFUSED: Sale = { kind: 'refused', reason: 'payment_refused' }

function openLine() {
  const strangers = createStrangers({ clock: createManualClock(0), customerOf: (client) => client })
  const work = async () => ({ text: '{}', bytes: 2, asOfMs: undefined, isOutage: false })
  const offer: Offer = { productId: 'p', request: 'GET /p', work }
  let begun = 0
  /** Each from a client of its own. */
  const begin = (step: (offer: Offer) => void) =>
    strangers.sell(`client-${++begun}`, offer, async (terms) => {
      step(terms)
      return new Promise<Sale>(() => {})
    })
  return { begin, sell: () => strangers.sell('new', offer, async () => REFUSED) }
}

test('a place is free again once a payment is found good, or was used before', async () => {
  for (const step of [({ work }: Offer) => void work(), ({ onUsed }: Offer) => onUsed?.()]) {
    const { begin, sell } = openLine()
    for (let n = 0; n < STRANGERS.places; n++) void begin(step)
    expect(await sell()).toBe(REFUSED)
  }
})

test('until then it is not', async () => {
  const { begin, sell } = openLine()
  for (let n = 0; n < STRANGERS.places; n++) void begin(() => {})
  const waiting = Symbol()
  expect(await Promise.race([sell(), new Promise((done) => setImmediate(done, waiting))])).toBe(waiting)
})

test('who found no turn in time is not behind those whose payment was bad', async () => {
  const clock = createManualClock(0)
  const strangers = createStrangers({ clock, customerOf: (client) => client })
  const offer = { productId: 'p', request: 'GET /p' } as Offer
  const { promise: held, resolve: goOn } = Promise.withResolvers<Sale>()
  for (let n = 0; n < STRANGERS.places; n++) void strangers.sell(`client-${n}`, offer, () => held)
  const late = strangers.sell('honest', offer, async () => REFUSED)
  clock.advance(STRANGERS.waitMs)
  await expect(late).rejects.toMatchObject({ code: 'payments_unavailable' })
  strangers.noteFailure('failed')
  const turns: string[] = []
  const take = (client: string) =>
    strangers.sell(client, offer, async () => {
      turns.push(client)
      return REFUSED
    })
  const both = [take('failed'), take('honest')]
  goOn(REFUSED)
  await Promise.all(both)
  expect(turns).toEqual(['honest', 'failed'])
})

const CHECK_MS = 300
const HONEST = '20020db800000001/64'

test.each([60, 160])(
  '%i payments a second from always new addresses of one network keep no new buyer out',
  async (perSecond) => {
    const clock = createManualClock(0)
    const strangers = createStrangers({ clock, customerOf, networkOf })
    const offer = { productId: 'p', request: 'GET /p' } as Offer
    const check = () => sleep(clock, CHECK_MS).then(() => REFUSED)
    let clients = 0x20010db80000
    const attack = () => {
      const client = `${(++clients).toString(16)}0001/64`
      strangers.sell(client, offer, check).then(
        () => strangers.noteFailure(client),
        () => {},
      )
    }
    const honest: Promise<boolean>[] = []
    for (let step = 0; step < 60 * 20; step++) {
      for (let n = 0; n < perSecond / 20; n++) attack()
      if (step > 15 * 20 && step % 40 === 0)
        honest.push(
          strangers.sell(HONEST, offer, check).then(
            () => true,
            () => false,
          ),
        )
      clock.advance(50)
      for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
    }
    clock.advance(10_000)
    const served = (await Promise.all(honest)).filter(Boolean)
    expect(served).toHaveLength(honest.length)
  },
)
