import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import { evmNode } from '../chain/evm/evm-node.ts'
import { type JsonRpc, NoBatchError, ReplyTooLargeError, type RpcCall } from '../chain/json-rpc.ts'
import { createChainNode } from '../chain/nodes/chain-node.ts'
import { createChainNodes, joinNodes } from '../chain/nodes/chain-nodes.ts'
import {
  byFinal,
  CLAIMED_RECEIPT,
  createAgreedReadTransaction,
  createReadTransaction,
} from './read-transaction.ts'

const HASH = `0x${'a1'.repeat(32)}`
const BLOCK_HASH = `0x${'b1'.repeat(32)}`
const log = (logIndex: string, data: string) => ({
  address: EVM_USDC,
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

const BLOCK = { hash: BLOCK_HASH, timestamp: '0x64' }

function nodeWith(receipt: unknown, block: unknown = BLOCK): JsonRpc {
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
    logs: [
      { data: '0x01', address: EVM_USDC.toLowerCase(), position: 0 },
      { data: '0x02', position: 1 },
    ],
  })
})

test('logs of others are counted, and not read', async () => {
  const other = {
    ...log('0x7', '0x'),
    address: `0x${'DE'.repeat(20)}`,
    topics: 'a stranger may send anything',
  }
  expect((await readFrom({ ...RECEIPT, logs: [...RECEIPT.logs, other] }))?.logs).toMatchObject([
    { data: '0x01', position: 1 },
    { data: '0x02', position: 2 },
  ])
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

test('how many blocks count is asked of the machine that shows it, up to its final one if that is wanted', async () => {
  // Behind one address: one machine has gone on, and another stands on a fork that was left.
  const ahead = { eth_blockNumber: '0x99', finalized: { number: '0x80', timestamp: '0x90' } }
  const behind = { eth_blockNumber: '0x11', finalized: { number: '0xf', timestamp: '0x60' } }
  const left: JsonRpc = {
    call: async (method, [tag]) =>
      tag === 'finalized' ? ahead.finalized : method === 'eth_blockNumber' ? ahead[method] : BLOCK,
    batch: async (calls) =>
      calls.map(([method, [tag]]) =>
        tag === 'finalized' ? behind.finalized : method === 'eth_blockNumber' ? behind[method] : RECEIPT,
      ),
  }
  expect(await createReadTransaction(left)(HASH)).toMatchObject({ confirmations: 2 })
  expect(await createReadTransaction(left, { heightOf: byFinal })(HASH)).toMatchObject({ confirmations: 0 })
})

/** Its height is below the block that it shows. */
const youngWith = (receipt: unknown): JsonRpc => ({
  ...nodeWith(receipt),
  batch: async (calls) => calls.map(([method]) => (method === 'eth_blockNumber' ? '0xf' : receipt)),
})

test('where the first node shows it above its height, another one that counts it is enough', async () => {
  const clock = createManualClock(0)
  const young = youngWith(RECEIPT)
  const readAll = (...rpcs: JsonRpc[]) =>
    createAgreedReadTransaction(joinNodes('base', openNodes(clock, rpcs)))(HASH)
  expect(await readAll(young, nodeWith(RECEIPT))).toMatchObject({ confirmations: 3 })
  for (const other of [young, nodeWith(null), failing(new Error('down'))])
    expect(await readAll(young, other)).toMatchObject({ confirmations: 0 })
})

test('another node that shows it above its height neither ends the search nor replaces the first', async () => {
  const clock = createManualClock(0)
  const [young, failed] = [youngWith(RECEIPT), youngWith({ ...RECEIPT, status: '0x0' })]
  const readAll = (...rpcs: JsonRpc[]) =>
    createAgreedReadTransaction(joinNodes('base', openNodes(clock, rpcs)))(HASH)
  expect(await readAll(young, failed, nodeWith(RECEIPT))).toMatchObject({ succeeded: true, confirmations: 3 })
  expect(await readAll(young, failed)).toMatchObject({ succeeded: true, confirmations: 0 })
  expect(await readAll(nodeWith(null), young, nodeWith(RECEIPT))).toMatchObject({ confirmations: 3 })
})

test('a failed one says so', async () => {
  expect(await readFrom({ ...RECEIPT, status: '0x0' })).toMatchObject({ succeeded: false })
})

test.each([
  ['of another transaction', { ...RECEIPT, transactionHash: `0x${'a2'.repeat(32)}` }],
  ['without status', { ...RECEIPT, status: undefined }],
  ['without logs', { ...RECEIPT, logs: null }],
  ['with a log of no place', { ...RECEIPT, logs: [{ ...log('0x7', '0x'), logIndex: null }] }],
  ['with a log that is none', { ...RECEIPT, logs: [null] }],
  ['with half a log of the token', { ...RECEIPT, logs: [{ ...log('0x7', '0x'), data: 1 }] }],
  ['that is no object', 'yes'],
])('an answer %s is no answer', async (_, receipt) => {
  await expect(readFrom(receipt)).rejects.toThrow()
})

const openNodes = (clock: Clock, rpcs: readonly JsonRpc[]) => {
  const kind = {
    staleAfterMs: undefined,
    findStranger: async () => undefined,
    readHead: async (rpc: JsonRpc) => ({
      height: Number(await rpc.call('eth_blockNumber', [])),
      timeMs: undefined,
    }),
  }
  return rpcs.map((rpc, at) => createChainNode({ clock, host: `${at}`, rpc, kind }))
}
const failing = (error: Error): JsonRpc => ({
  call: () => Promise.reject(error),
  batch: () => Promise.reject(error),
})

test('of several nodes one that has it is enough, and that none has it takes all of them', async () => {
  const down = failing(new Error('down'))
  const [has, lacks] = [nodeWith(RECEIPT), nodeWith(null)]
  const clock = createManualClock(0)
  const readAll = (...rpcs: JsonRpc[]) =>
    createAgreedReadTransaction(joinNodes('base', openNodes(clock, rpcs)))(HASH)
  for (const nodes of [[has], [has, down], [down, has], [lacks, has], [has, lacks]])
    expect(await readAll(...nodes)).toMatchObject({ succeeded: true })
  for (const nodes of [[lacks], [lacks, lacks]]) expect(await readAll(...nodes)).toBeUndefined()
  for (const nodes of [[down], [lacks, down], [down, lacks]])
    await expect(readAll(...nodes)).rejects.toThrow('down')
  // One that has been away for a day is not waited for.
  const nodes = openNodes(clock, [lacks, down])
  await nodes[1]?.probe().catch(() => {})
  clock.advance(DAY_MS)
  expect(await createAgreedReadTransaction(joinNodes('base', nodes))(HASH)).toBeUndefined()
})

test('of several nodes one that has a short enough receipt is enough; else its length is the answer', async () => {
  const large: JsonRpc = { ...nodeWith(RECEIPT), batch: () => Promise.reject(new ReplyTooLargeError()) }
  const clock = createManualClock(0)
  const readAll = (...rpcs: JsonRpc[]) =>
    createAgreedReadTransaction(joinNodes('base', openNodes(clock, rpcs)))(HASH)
  expect(await readAll(large, nodeWith(RECEIPT))).toMatchObject({ succeeded: true })
  for (const other of [large, nodeWith(null), failing(new Error('down'))])
    await expect(readAll(other, large)).rejects.toThrow(ReplyTooLargeError)
})

test('a receipt that is too long for a claim is not read, whoever asks for it', async () => {
  const filler = Array.from({ length: 1_500 }, (_, n) => ({
    ...log(`0x${n.toString(16)}`, '0x'),
    address: HASH.slice(0, 42),
  }))
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = ({ id, method }: { id: number; method: string }) => {
      asked.push(method)
      return { id, result: method === 'eth_chainId' ? '0x2105' : { ...RECEIPT, logs: filler } }
    }
    const question = JSON.parse(body)
    response.end(JSON.stringify(Array.isArray(question) ? question.map(answer) : answer(question)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]
  const kind = evmNode({ isLocal: true })
  const nodes = createChainNodes({ clock: createManualClock(0), name: 'base', urls, timeoutMs: 5_000, kind })
  await expect(createAgreedReadTransaction(nodes, { limits: CLAIMED_RECEIPT })(HASH)).rejects.toThrow(
    ReplyTooLargeError,
  )
  expect(asked).toEqual(['eth_chainId', 'eth_blockNumber', 'eth_getTransactionReceipt'])
})
