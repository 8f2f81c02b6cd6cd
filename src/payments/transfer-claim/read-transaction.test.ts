import { expect, test } from 'vitest'
import type { JsonRpc, RpcCall } from '../chain/json-rpc.ts'
import { createReadTransaction } from './read-transaction.ts'

const HASH = `0x${'a1'.repeat(32)}`
const BLOCK_HASH = `0x${'b1'.repeat(32)}`
const log = (logIndex: string, data: string) => ({
  address: `0x${'CC'.repeat(20)}`,
  topics: [],
  data,
  blockNumber: '0x10',
  logIndex,
  transactionHash: HASH,
})
const RECEIPT = {
  status: '0x1',
  transactionHash: HASH,
  blockHash: BLOCK_HASH,
  blockNumber: '0x10',
  logs: [log('0x9', '0x02'), log('0x8', '0x01')],
}

function readFrom(receipt: unknown, block: unknown = { hash: BLOCK_HASH, timestamp: '0x64' }) {
  const answer = ([method]: RpcCall) =>
    ({ eth_getTransactionReceipt: receipt, eth_getBlockByNumber: block, eth_blockNumber: '0x12' })[method]
  const rpc: JsonRpc = {
    call: async (method, params) => answer([method, params]),
    batch: async (calls) => calls.map(answer),
  }
  return createReadTransaction(rpc)(HASH)
}

test('counts its own block, and puts the logs in their order and case', async () => {
  expect(await readFrom(RECEIPT)).toMatchObject({
    succeeded: true,
    confirmations: 3,
    blockTimeMs: 100_000,
    logs: [{ data: '0x01', address: `0x${'cc'.repeat(20)}` }, { data: '0x02' }],
  })
})

test('what no block holds is not there', async () => {
  expect(await readFrom(null)).toBeUndefined()
  expect(await readFrom(RECEIPT, null)).toBeUndefined()
  expect(await readFrom(RECEIPT, { hash: `0x${'b2'.repeat(32)}`, timestamp: '0x64' })).toBeUndefined()
})

test('a failed one says so', async () => {
  expect(await readFrom({ ...RECEIPT, status: '0x0' })).toMatchObject({ succeeded: false })
})

test.each([
  ['of another transaction', { ...RECEIPT, transactionHash: `0x${'a2'.repeat(32)}` }],
  ['without status', { ...RECEIPT, status: undefined }],
  ['without logs', { ...RECEIPT, logs: null }],
  ['that is no object', 'yes'],
])('an answer %s is no answer', async (_, receipt) => {
  await expect(readFrom(receipt)).rejects.toThrow()
})
