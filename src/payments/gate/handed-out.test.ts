import { expect, test } from 'vitest'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import { createHandedOut } from './handed-out.ts'
import type { Payment } from './payment.ts'

const row = { key: 'a', identifier: undefined } as PaymentRow
const payment = { key: 'a', identifier: undefined } as Payment

test('a process that did not sell it hands a reply to everybody: whoever fetched it first may not be its buyer', () => {
  const handedOut = createHandedOut({ customerOf: (client) => client })
  handedOut.note('a reader of the chain', row)
  expect(handedOut.findStranger('the buyer', payment, row)).toBeUndefined()
  expect(handedOut.findStranger('a third', payment, row)).toBeUndefined()
})

test('one that did refuses all but the buyer and who got it', () => {
  const handedOut = createHandedOut({ customerOf: (client) => client })
  handedOut.noteBuyer('the buyer', payment)
  expect(handedOut.findStranger('a third', payment, row)).toBeUndefined()
  handedOut.note('a reader of the chain', row)
  for (const client of ['the buyer', 'a reader of the chain'])
    expect(handedOut.findStranger(client, payment, row)).toBeUndefined()
  expect(handedOut.findStranger('a third', payment, row)).toMatchObject({ code: 'payment_already_used' })
})
