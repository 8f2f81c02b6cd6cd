import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { newOperatorKey } from '../../access/new-operator-key.ts'
import { createRequestIds } from './incoming.ts'

const idFor = (given: string) =>
  createRequestIds('boot')({ headers: { 'x-request-id': given } } as unknown as IncomingMessage)

test.each(['my-id.1', 'z'.repeat(64), '0af7651916cd43dd8448eb211c80319c'])(
  'the caller’s id %s is kept',
  (given) => {
    expect(idFor(given)).toBe(given)
  },
)

const { key } = newOperatorKey({ label: 'test', scopes: ['admin'], nowMs: 0 })
test.each([
  ['an operator’s key', key.reveal()],
  ['a part of one', `for-${key.reveal().slice(0, 20)}`],
  ['a private key', '5ec7e7aa'.repeat(8)],
  ['markup', '"><script>'],
])('%s is replaced by an id of ours', (_, given) => {
  expect(idFor(given)).toBe('boot-1')
})
