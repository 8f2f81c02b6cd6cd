import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { type JsonRpc, JsonRpcRefusal, type RpcCall } from '../json-rpc.ts'
import { createChainNode } from '../nodes/chain-node.ts'
import { evmNode } from './evm-node.ts'

const UNUSED = `0x${'0'.repeat(64)}`
const refuse = (method: string) => {
  throw new JsonRpcRefusal(method, { code: -32_601, message: `${method} is not available with this key` })
}

/** A node with the answers of a well one, but for those that a test changes. */
function open(changes: Record<string, () => unknown> = {}) {
  const requests: string[] = []
  const answers: Record<string, () => unknown> = {
    eth_chainId: () => '0x2105',
    eth_getBlockByNumber: () => ({ number: '0x10', timestamp: '0x0' }),
    eth_getTransactionReceipt: () => null,
    eth_call: () => UNUSED,
    ...changes,
  }
  const answer = ([method]: RpcCall) => answers[method]?.()
  const rpc: JsonRpc = {
    async call(method, params) {
      requests.push(method)
      return answer([method, params])
    },
    async batch(calls) {
      requests.push(calls.map(([method]) => method).join('+'))
      return calls.map(answer)
    },
  }
  const clock = createManualClock(0)
  const node = createChainNode({ clock, host: 'node', kind: evmNode({ isLocal: false }), rpc })
  return { node, requests }
}

test('a probe asks for all that a sale needs, in two requests', async () => {
  const { node, requests } = open()
  await node.probe()
  expect(node.isInTrouble()).toBe(false)
  expect(requests.sort()).toEqual(['eth_chainId', 'eth_getBlockByNumber+eth_getTransactionReceipt+eth_call'])
})

test.each(['eth_getBlockByNumber', 'eth_getTransactionReceipt', 'eth_call'])(
  'a node that refuses %s is not well',
  async (method) => {
    const { node } = open({ [method]: () => refuse(method) })
    await expect(node.probe()).rejects.toThrow('not available')
    expect(node.isInTrouble()).toBe(true)
  },
)

test('nor is one that does not have the token', async () => {
  const { node } = open({ eth_call: () => '0x' })
  await expect(node.probe()).rejects.toThrow('the token did not say')
})
