import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CAUSE_MAX_CHARS } from '../../ledger/ports/uptime-book.ts'
import { plainCause } from './plain-cause.ts'

test.each([
  ['connect ECONNREFUSED 10.0.0.7:8545', 'connect ECONNREFUSED an address'],
  ['fetch https://user:pass@rpc.example.com/v2/AbC?key=1 failed', 'fetch an address failed'],
  ['wss://node.internal:8546/ws closed', 'an address closed'],
  ['getaddrinfo ENOTFOUND base-rpc.internal', 'getaddrinfo ENOTFOUND an address'],
  ['node at localhost:8545 and [::1]:99 and fe80::1', 'node at an address and an address and an address'],
  ['no route to postgres:5432', 'no route to an address'],
  ['Authorization: Bearer eyJhbGciOi.x.y refused', 'Authorization: a credential refused'],
  ['refused: api_key=hunter2 is wrong', 'refused: a credential is wrong'],
  ['{"token":"hunter2"} is wrong', '{"a credential is wrong'],
  [`signed by 0x${'ab'.repeat(32)}`, 'signed by …'],
  ['EACCES /var/lib/tollbook/ledger.sqlite', 'EACCES a file'],
  ['two\nlines\u0000 and \u202e more', 'two lines and more'],
])('%j is told as %j', (text, told) => {
  expect(plainCause(text)).toBe(told)
})

test.each([
  'fresh prices of 3 of 4 coins',
  'down: ECONNREFUSED',
  'polybolt: silent',
  'trades BTC reconnecting, book ETH doubtful',
  'base: does not answer (ETIMEDOUT), solana: well',
  'refused: the provider answered 403',
  'malformed: bids.0.price: Invalid input',
])('%j says nothing that is secret and stays, but for what looks like an address', (text) => {
  expect(plainCause(text)).toBe(text.replace('bids.0.price', 'an address'))
})

test('whatever is said, it is short, in one line and quickly made', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (text) => {
      const told = plainCause(text)
      return told.length <= CAUSE_MAX_CHARS && told.isWellFormed() && !/\p{Cc}/u.test(told)
    }),
  )
  for (const text of ['a.', ':', 'a-', '/', '1.', 'key='].map((each) => each.repeat(50_000)))
    expect(plainCause(text).length).toBeLessThanOrEqual(CAUSE_MAX_CHARS)
})
