import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchSize } from '../../../testing/search-size.ts'
import { toTransaction, WireDeployed, WireNonce, WireSubmitted, WireTransactions } from './wire.ts'

const ROW = {
  transactionID: '0190b317-a1d3-7bec-9b91-eeb6dcd3a620',
  transactionHash: `0x${'3c'.repeat(32)}`,
  from: '0x00000000000000000000000000000000000a11ce',
  to: '0x00000000000fb5c9adea0298d729a0cb3823cc07',
  proxyAddress: '0x8342b4a24c6fcf7a20e187fc8fe3a838cd0dc61d',
  data: '0x',
  nonce: '60',
  value: '',
  signature: `0x${'AB'.repeat(65)}`,
  state: 'STATE_CONFIRMED',
  type: 'WALLET',
  owner: '0x00000000000000000000000000000000000a11ce',
  metadata: '',
  createdAt: '2026-07-14T21:13:08.819782Z',
  updatedAt: '2026-07-14T21:13:46.576639Z',
}

test('a transaction is read, and only its last states are certain', () => {
  expect(toTransaction(WireTransactions.parse([ROW])[0] ?? { transactionID: '', state: '' })).toEqual({
    id: ROW.transactionID,
    state: 'confirmed',
    hash: ROW.transactionHash,
    wallet: '0x8342b4A24c6Fcf7A20e187fC8Fe3A838CD0dc61D',
    nonce: '60',
    signature: ROW.signature.toLowerCase(),
  })
  const stateOf = (state: string) => toTransaction({ transactionID: 'x', state }).state
  const states = [
    'STATE_NEW',
    'STATE_EXECUTED',
    'STATE_MINED',
    'STATE_FAILED',
    'STATE_INVALID',
    'toString',
    '',
  ]
  expect(states.map(stateOf)).toEqual([
    'pending',
    'pending',
    'pending',
    'failed',
    'failed',
    'pending',
    'pending',
  ])
})

test('a hash in capitals is the same hash', () => {
  const [row] = WireTransactions.parse([{ ...ROW, transactionHash: `0x${'3C'.repeat(32)}` }])
  expect(row && toTransaction(row).hash).toBe(ROW.transactionHash)
})

test('what is not known yet is unknown, not empty', () => {
  const [row] = WireTransactions.parse([{ ...ROW, transactionHash: '', proxyAddress: 'nobody', nonce: null }])
  expect(row && toTransaction(row)).toMatchObject({ hash: undefined, wallet: undefined, nonce: undefined })
})

test('whatever the relayer answers is read or refused', () => {
  const hostile = fc.oneof(fc.jsonValue(), fc.constantFrom('-1', '1e9', 'NaN', '9'.repeat(79), '../x', '0x'))
  const fields = fc.constantFrom(...Object.keys(ROW))
  const rows = fc.tuple(fields, hostile).map(([field, value]) => [{ ...ROW, [field]: value }])
  const replies = fc.oneof(
    rows,
    hostile,
    hostile.map((nonce) => ({ nonce })),
    hostile.map((id) => ({ transactionID: id })),
  )
  const schemas = [WireNonce, WireDeployed, WireSubmitted, WireTransactions]
  const read = (reply: unknown) => {
    for (const schema of schemas) schema.safeParse(reply)
    for (const row of WireTransactions.safeParse(reply).data ?? []) toTransaction(row)
  }
  fc.assert(fc.property(replies, read), { numRuns: searchSize('mutations'), seed: 11 })
})
