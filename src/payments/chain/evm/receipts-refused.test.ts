import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import {
  type JsonRpc,
  JsonRpcRefusal,
  NoBatchError,
  NodeStatusError,
  ReplyTooLargeError,
  type RpcCall,
} from '../json-rpc.ts'
import { rememberBatches } from '../nodes/batch-memory.ts'
import { askForReceipts, HEAD } from './receipts.ts'

/** Takes batches; answers one in which `isRefused` with a bare status. */
async function openBarred(isRefused: (calls: readonly RpcCall[]) => boolean) {
  let isBarred = false
  const node: JsonRpc = {
    call: () => Promise.reject(new Error('asked call by call')),
    async batch(calls) {
      if (isBarred && isRefused(calls)) throw new NoBatchError(413)
      return calls.map(([method]) => (method === 'eth_blockNumber' ? '0x10' : null))
    },
  }
  const rpc = rememberBatches(createManualClock(0), node)
  const ask = async () => [...(await askForReceipts(rpc, ['a', 'b', 'c'], HEAD)).keys()]
  expect(await ask()).toEqual(['a', 'b', 'c'])
  isBarred = true
  return ask
}
const asksFor = (hash: string) => (calls: readonly RpcCall[]) => calls.some(([, [asked]]) => asked === hash)

test('receipts that are too long together, by a bare status of a node that takes batches, are asked for in pairs', async () => {
  const ask = await openBarred((calls) => calls.length > 2)
  expect(await ask()).toEqual(['a', 'b', 'c'])
})

test('so is what goes with one that is too long by itself', async () => {
  const ask = await openBarred(asksFor('b'))
  expect(await ask()).toEqual(['a', 'c'])
})

test.each([
  [429, 1],
  [503, 1],
  [502, 3],
])('a node that answers %i to everything is asked %i times, not for each receipt', async (status, times) => {
  let asked = 0
  const answer = () => {
    asked++
    return Promise.reject(new NodeStatusError(status))
  }
  const asking = askForReceipts({ call: answer, batch: answer }, [...'abcdefghij'], HEAD)
  await expect(asking).rejects.toThrow(`the chain node answered ${status}`)
  expect(asked).toBe(times)
})

test.each([500, 502, 504])(
  'a gateway that answers %i to what is too long holds up nothing else',
  async (status) => {
    const isRefused = asksFor('b')
    const batch = async (calls: readonly RpcCall[]) => {
      if (isRefused(calls)) throw new NodeStatusError(status)
      return calls.map(([method]) => (method === 'eth_blockNumber' ? '0x10' : null))
    }
    const rpc: JsonRpc = { call: () => Promise.reject(new Error('asked call by call')), batch }
    for (const hashes of [
      ['a', 'b', 'c'],
      ['b', 'a', 'c'],
    ])
      expect([...(await askForReceipts(rpc, hashes, HEAD)).keys()]).toEqual(['a', 'c'])
    expect((await askForReceipts(rpc, ['b'], HEAD)).size).toBe(0)
  },
)

test('a node that knows its height and no receipt is ill, however small the request', async () => {
  const rpc: JsonRpc = {
    call: () => Promise.reject(new Error('asked call by call')),
    async batch(calls) {
      if (calls.length > 1) throw new NodeStatusError(502)
      return ['0x10']
    },
  }
  await expect(askForReceipts(rpc, ['a', 'b', 'c'], HEAD)).rejects.toThrow('the chain node answered 502')
})

test('so is one that knows its height and not the only receipt', async () => {
  const rpc: JsonRpc = {
    call: () => Promise.reject(new Error('asked call by call')),
    async batch(calls) {
      if (calls.length > 1) throw new NodeStatusError(502)
      return ['0x10']
    },
  }
  await expect(askForReceipts(rpc, ['a'], HEAD)).rejects.toThrow('the chain node answered 502')
})

test('one that shows nothing any more that it has shown is ill, though it knows that nobody has none', async () => {
  let isIll = false
  const batch = async (calls: readonly RpcCall[]) => {
    if (isIll && calls.length > 1 && !NOBODYS(calls)) throw new NodeStatusError(502)
    return calls.map(([method]) => (method === 'eth_blockNumber' ? '0x10' : {}))
  }
  const rpc: JsonRpc = { call: () => Promise.reject(new Error('asked call by call')), batch }
  const before = {}
  const ask = (...hashes: string[]) => askForReceipts(rpc, hashes, HEAD, before)
  expect((await ask('a', 'b')).size).toBe(2)
  isIll = true
  await expect(ask('c', 'd')).rejects.toThrow('the chain node answered 502')
  await expect(ask('e')).rejects.toThrow('the chain node answered 502')
})

test('one that still shows what it has shown is well, and what it does not show is too long', async () => {
  const batch = async (calls: readonly RpcCall[]) => {
    if (calls.length > 1 && !asksFor('short')(calls)) throw new NodeStatusError(502)
    return calls.map(([method]) => (method === 'eth_blockNumber' ? '0x10' : {}))
  }
  const rpc: JsonRpc = { call: () => Promise.reject(new Error('asked call by call')), batch }
  const before = {}
  expect((await askForReceipts(rpc, ['short'], HEAD, before)).size).toBe(1)
  expect((await askForReceipts(rpc, ['a', 'b'], HEAD, before)).size).toBe(0)
})

test('one that shows again more than we read of one receipt is well', async () => {
  const batch = async (calls: readonly RpcCall[]) => {
    if (asksFor('tooLong')(calls)) throw new NodeStatusError(502)
    if (calls.length === 2) throw new ReplyTooLargeError()
    return calls.map(([method]) => (method === 'eth_blockNumber' ? '0x10' : {}))
  }
  const rpc: JsonRpc = { call: () => Promise.reject(new Error('asked call by call')), batch }
  const before = {}
  expect((await askForReceipts(rpc, ['a', 'long'], HEAD, before)).size).toBe(2)
  expect((await askForReceipts(rpc, ['tooLong'], HEAD, before)).size).toBe(0)
})

const NOBODYS = asksFor(`0x${'0'.repeat(64)}`)
test.each([
  ['knows none for nobody', () => null],
  [
    'refuses a hash that is nobody’s',
    () => {
      throw new JsonRpcRefusal('eth_getTransactionReceipt', { code: -32000, message: 'no such transaction' })
    },
  ],
])('where all receipts are too long and the node %s, it is well', async (_, answerNobody) => {
  const batch = async (calls: readonly RpcCall[]) => {
    if (calls.length > 1 && !NOBODYS(calls)) throw new NodeStatusError(502)
    return calls.map(([method]) => (method === 'eth_blockNumber' ? '0x10' : answerNobody()))
  }
  const rpc: JsonRpc = { call: () => Promise.reject(new Error('asked call by call')), batch }
  expect((await askForReceipts(rpc, ['a', 'b', 'c'], HEAD)).size).toBe(0)
})

test('a node that answers nothing but a bare status is ill', async () => {
  const ask = await openBarred(() => true)
  await expect(ask()).rejects.toThrow('the chain node answered 413')
})
