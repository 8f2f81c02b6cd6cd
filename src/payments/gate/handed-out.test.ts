import { expect, test } from 'vitest'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import { createHandedOut } from './handed-out.ts'
import type { Payment } from './payment.ts'

const row = { key: 'a', identifier: undefined } as PaymentRow
const payment = { key: 'a', identifier: undefined } as Payment

test('a process that did not sell it hands a reply to everybody: whoever fetched it first may not be its buyer', async () => {
  const handedOut = createHandedOut({ customerOf: (client) => client })
  handedOut.note('a reader of the chain', row)
  expect(await handedOut.findStranger('the buyer', payment, row)).toBeUndefined()
  expect(await handedOut.findStranger('a third', payment, row)).toBeUndefined()
})

test('while its seller may still wait for it, at another process only the buyer gets it', async () => {
  const clock = { now: () => nowMs }
  let nowMs = 1_000_000
  const customers = {
    note: () => {},
    compare: async (_: string, customer: string) => ({
      ...{ isBuyer: customer === 'the buyer', isReceiver: undefined },
    }),
  }
  const handedOut = createHandedOut({ customerOf: (client) => client, others: { customers, clock } })
  const seenAt = (claimedAtMs: number, settledAtMs: number) =>
    handedOut
      .findStranger('a reader', payment, { ...row, claimedAtMs, settledAtMs })
      .catch(({ code }) => code)
  // The seller waits for its facilitator for 10 s, and the chain has shown it long before.
  expect(await seenAt(nowMs - 29_999, nowMs - 20_000)).toBe('payment_in_progress')
  expect(await seenAt(nowMs - 30_000, nowMs - 4_999)).toBe('payment_in_progress')
  expect(await seenAt(nowMs - 30_000, nowMs - 5_000)).toBeUndefined()
  nowMs = 0
  expect(await handedOut.findStranger('the buyer', payment, { ...row, claimedAtMs: 0 })).toBeUndefined()
})

test('one that did refuses all but the buyer and who got it', async () => {
  const handedOut = createHandedOut({ customerOf: (client) => client })
  handedOut.noteBuyer('the buyer', payment)
  expect(await handedOut.findStranger('a third', payment, row)).toBeUndefined()
  handedOut.note('a reader of the chain', row)
  for (const client of ['the buyer', 'a reader of the chain'])
    expect(await handedOut.findStranger(client, payment, row)).toBeUndefined()
  expect(await handedOut.findStranger('a third', payment, row)).toMatchObject({
    code: 'payment_already_used',
  })
})
