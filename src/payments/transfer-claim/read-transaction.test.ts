import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { type JsonRpc, NoBatchError, type RpcCall } from '../chain/json-rpc.ts'
import { createChainNode } from '../chain/nodes/chain-node.ts'
import { joinNodes } from '../chain/nodes/chain-nodes.ts'
import { createAgreedReadTransaction, createReadTransaction } from './read-transaction.ts'

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

function nodeWith(receipt: unknown, block: unknown = { hash: BLOCK_HASH, timestamp: '0x64' }): JsonRpc {
  const answer = ([method]: RpcCall) =>
    ({ eth_getTransactionReceipt: receipt, eth_getBlockByNumber: block, eth_blockNumber: '0x12' })[method]
  return {
    call: async (method, params) => answer([method, params]),
    batch: async (calls) => calls.map(answer),
  }
}
const readFrom = (...said: Parameters<typeof nodeWith>) => createReadTransaction(nodeWith(...said))(HASH)

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

test('a node without batches is asked one by one', async () => {
  const rpc = { ...nodeWith(RECEIPT), batch: () => Promise.reject(new NoBatchError()) }
  expect(await createReadTransaction(rpc)(HASH)).toMatchObject({ succeeded: true, confirmations: 3 })
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

test('of several nodes one that has it is enough, and that none has it takes all of them', async () => {
  const kind = {
    staleAfterMs: undefined,
    findStranger: async () => undefined,
    readHead: async (rpc: JsonRpc) => ({
      height: Number(await rpc.call('eth_blockNumber', [])),
      timeMs: undefined,
    }),
  }
  const down: JsonRpc = {
    call: () => Promise.reject(new Error('down')),
    batch: () => Promise.reject(new Error('down')),
  }
  const [has, lacks] = [nodeWith(RECEIPT), nodeWith(null)]
  const clock = createManualClock(0)
  const open = (rpcs: readonly JsonRpc[]) =>
    rpcs.map((rpc, at) => createChainNode({ clock, host: `${at}`, rpc, kind }))
  const readAll = (...rpcs: JsonRpc[]) => createAgreedReadTransaction(joinNodes('base', open(rpcs)))(HASH)
  for (const nodes of [[has], [has, down], [down, has], [lacks, has], [has, lacks]])
    expect(await readAll(...nodes)).toMatchObject({ succeeded: true })
  for (const nodes of [[lacks], [lacks, lacks]]) expect(await readAll(...nodes)).toBeUndefined()
  for (const nodes of [[down], [lacks, down], [down, lacks]])
    await expect(readAll(...nodes)).rejects.toThrow('down')
  // One that has been away for a day is not waited for.
  const nodes = open([lacks, down])
  await nodes[1]?.probe().catch(() => {})
  clock.advance(DAY_MS)
  expect(await createAgreedReadTransaction(joinNodes('base', nodes))(HASH)).toBeUndefined()
})
