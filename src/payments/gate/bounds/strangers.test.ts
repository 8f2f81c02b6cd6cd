import { expect, test } from 'vitest'
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
