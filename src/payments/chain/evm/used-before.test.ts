import { expect, test } from 'vitest'
import { expectedUse, tokenLog } from '../../../testing/payments/authorization-logs.ts'
import { cheap, requirementOf } from '../../../testing/payments/sample-evm.ts'
import { EVM_NETWORK } from '../../challenge/terms.ts'
import type { Payment } from '../../gate/payment.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { createEvmReferee } from './chain.ts'
import { createEvmReviewer } from './review.ts'

const BLOCK_S = 2
const VALID_BEFORE_S = 1_800_000_000
const CLAIMED_MS = (VALID_BEFORE_S - 300) * 1_000
const USED = `0x${'1'.padStart(64, '0')}`
const UNUSED = `0x${'0'.repeat(64)}`
const toHex = (value: number) => `0x${value.toString(16)}`
const requirement = requirementOf(cheap, 'eip155')
const authorization = {
  from: expectedUse.payer,
  to: requirement.payTo,
  value: requirement.amount,
  validAfter: '0',
  validBefore: String(VALID_BEFORE_S),
  nonce: expectedUse.nonce,
}
const payment: Payment = {
  ...{
    version: 2,
    key: 'key',
    network: EVM_NETWORK,
    payer: expectedUse.payer,
    digest: '',
    identifier: undefined,
  },
  ...{ requirement, validBeforeMs: VALID_BEFORE_S * 1_000 },
  payload: { payload: { signature: '0x12', authorization } },
}

/** `logsToS`: where its index of logs stands still. */
type Options = { headS: number; finalS: number; hasLogs: boolean; logsToS?: number }

/** Its token says that the nonce was used, and no log of the payment's life shows it. */
function nodeOf(options: Options): JsonRpc {
  const { headS, finalS, hasLogs, logsToS = headS } = options
  const blockOf = (atS: number) => ({ number: toHex(atS / BLOCK_S), timestamp: toHex(atS) })
  return {
    async call(method, [first]) {
      if (method === 'eth_call') return USED
      if (method === 'eth_getTransactionReceipt') return null
      if (method === 'eth_getBlockByNumber') {
        if (first === 'latest') return blockOf(headS)
        return blockOf(first === 'finalized' ? finalS : Number(first) * BLOCK_S)
      }
      if (method !== 'eth_getLogs') throw new Error(`${method} is not scripted`)
      const filter = first as { topics?: unknown; toBlock: string }
      const isIndexed = Number(filter.toBlock) * BLOCK_S <= logsToS
      return !filter.topics && hasLogs && isIndexed ? [tokenLog()] : []
    },
    batch: (calls) => Promise.all(calls.map(([method, params]) => nodeOf(options).call(method, params))),
  }
}
const outcomeOf = (options: Options) =>
  createEvmReferee({ rpc: nodeOf(options), confirmations: () => 1 }).outcome(payment, undefined, CLAIMED_MS)
const LATER = { headS: VALID_BEFORE_S + 2_000, finalS: VALID_BEFORE_S + 800, hasLogs: true }

test('a nonce that was used long before the payment came is dead once its life is final', async () => {
  expect(await outcomeOf(LATER)).toEqual({ kind: 'dead', isAbsent: true })
})

test.each<[string, Options, string]>([
  [
    'while it could still be used',
    { ...LATER, headS: VALID_BEFORE_S - 100, finalS: VALID_BEFORE_S - 900 },
    'out of reach',
  ],
  ['while its life is not final', { ...LATER, finalS: VALID_BEFORE_S + 20 }, 'out of reach'],
  ['by a node that has no logs of that time', { ...LATER, hasLogs: false }, 'no logs of that time'],
  [
    'by a node whose logs end before the payment came',
    { ...LATER, logsToS: VALID_BEFORE_S - 400 },
    'no logs of that time',
  ],
])('but not %s', async (_, options, error) => {
  await expect(outcomeOf(options)).rejects.toThrow(error)
})

test('what was settled is not undone by a node that has lost its receipt and its logs', async () => {
  const times = { claimedAtMs: CLAIMED_MS, settledAtMs: CLAIMED_MS }
  const { review } = createEvmReviewer({ rpc: nodeOf(LATER) })
  expect(await review([{ payment, transaction: `0x${'ab'.repeat(32)}`, ...times }])).toEqual([
    { kind: 'unseen', error: expect.any(Error) },
  ])
})

test('nor by a machine behind the same address whose head is behind the final block', async () => {
  const { call, batch } = nodeOf({ ...LATER, headS: LATER.finalS - 100 })
  const unused: JsonRpc['call'] = async (method, params) =>
    method === 'eth_call' ? UNUSED : call(method, params)
  const times = { claimedAtMs: CLAIMED_MS, settledAtMs: CLAIMED_MS }
  const { review } = createEvmReviewer({ rpc: { call: unused, batch } })
  expect(await review([{ payment, transaction: `0x${'ab'.repeat(32)}`, ...times }])).toEqual([
    { kind: 'unseen', error: new Error('the head is behind the final block') },
  ])
})
