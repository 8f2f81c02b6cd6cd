import { expect, test } from 'vitest'
import { expectedUse as expected, tokenLog, word } from '../../../testing/payments/authorization-logs.ts'
import { AUTHORIZATION_USED, isPaidBy, type Log } from './logs.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const amount = `0x${(1_000).toString(16).padStart(64, '0')}` as const
const used = tokenLog({ logIndex: 5 })
const transfer = tokenLog({ logIndex: 6, topics: [TRANSFER, word(1), word(2)], data: amount })
const receipt = (logs: Log[], status = 1) => ({ status, blockNumber: 1, transactionHash: word(4), logs })

test('the transfer that follows the use is what counts', () => {
  expect(isPaidBy(receipt([used, transfer]), expected)).toBe(true)
  expect(isPaidBy(receipt([transfer, used]), expected)).toBe(true)
  expect(isPaidBy(receipt([{ ...transfer, address: word(9) }, used, transfer]), expected)).toBe(true)
})

test.each([
  ['a transaction that failed, whatever a node lists', receipt([used, transfer], 0)],
  ['no receipt', null],
  ['a use without a transfer', receipt([used])],
  ['a transfer without a use', receipt([transfer])],
  ['a transfer before the use', receipt([used, { ...transfer, logIndex: 4 }])],
  [
    'another transfer in between',
    receipt([used, { ...transfer, topics: [TRANSFER, word(1), word(7)] }, { ...transfer, logIndex: 7 }]),
  ],
  [
    'the same events of another token',
    receipt([used, transfer].map((one) => ({ ...one, address: word(9) }))),
  ],
  ['another payer', receipt([used, { ...transfer, topics: [TRANSFER, word(8), word(2)] }])],
  ['another nonce', receipt([{ ...used, topics: [AUTHORIZATION_USED, word(1), word(8)] }, transfer])],
  ['more than the price', receipt([used, { ...transfer, data: word(1) }])],
  ['no amount', receipt([used, { ...transfer, data: '0x' }])],
])('not paid: %s', (_, given) => {
  expect(isPaidBy(given, expected)).toBe(false)
})
