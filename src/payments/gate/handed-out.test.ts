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
