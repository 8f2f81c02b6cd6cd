import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchSize } from '../../../../testing/search-size.ts'
import { toWalletSubmission } from '../../../../upstreams/polymarket/relayer/wallet-batch.ts'
import { approvalCalls } from '../../../../upstreams/polymarket/relayer/wallet-calls.ts'
import { parseSubmission, SubmissionRefused } from './submission.ts'

const OWNER = '0x00000000000000000000000000000000000A11cE'
const GOOD = toWalletSubmission({
  owner: OWNER,
  wallet: '0x8342b4A24c6Fcf7A20e187fC8Fe3A838CD0dc61D',
  nonce: 7n,
  deadline: 1_767_614_400n,
  calls: approvalCalls(),
  signature: `0x${'1b'.repeat(65)}`,
})
const FIELDS = [
  'type',
  'from',
  'to',
  'nonce',
  'signature',
  'depositWallet',
  'deadline',
  'calls',
  'target',
  'value',
  'data',
]

test('a batch is read as it was written', () => {
  const submission = parseSubmission(Buffer.from(JSON.stringify(GOOD)))
  expect(submission).toMatchObject({
    type: 'WALLET',
    owner: OWNER,
    batch: { nonce: 7n, deadline: 1_767_614_400n },
  })
})

test('whatever is sent is read or refused, and never breaks the relayer', () => {
  const outcomes = { read: 0, refused: 0 }
  const feed = (body: Buffer) => {
    try {
      parseSubmission(body)
      outcomes.read++
    } catch (error) {
      expect(error).toBeInstanceOf(SubmissionRefused)
      outcomes.refused++
    }
  }
  const hostile = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      '-1',
      '1e3',
      'NaN',
      '0x',
      '0xzz',
      '',
      ' 1',
      '9'.repeat(79),
      '0x'.padEnd(2_000, '0'),
      '__proto__',
    ),
  )
  /** The good body with one of its fields replaced, wherever it stands. */
  const changed = fc
    .tuple(fc.constantFrom(...FIELDS), hostile)
    .map(([field, value]) => Buffer.from(JSON.stringify(GOOD, (key, old) => (key === field ? value : old))))
  const cut = fc
    .nat(JSON.stringify(GOOD).length)
    .map((end) => Buffer.from(JSON.stringify(GOOD).slice(0, end)))
  const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
  const body = fc.oneof({ weight: 8, arbitrary: changed }, cut, noise)
  fc.assert(fc.property(body, feed), { numRuns: searchSize('mutations'), seed: 7 })
  expect(outcomes.refused).toBeGreaterThan(outcomes.read)
})
