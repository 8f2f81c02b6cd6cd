import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { callTogether, type JsonRpc, JsonRpcRefusal, NoBatchError } from '../json-rpc.ts'
import { createChainNode } from './chain-node.ts'
import { joinNodes } from './chain-nodes.ts'
import type { NodeKind } from './node-kind.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const JUST_NOW_MS = 250

/** A node that a test makes fail, and a count of what it was asked. */
function scriptedNode() {
  const state = {
    isDown: false,
    refusal: undefined as JsonRpcRefusal | undefined,
    chain: 'ours',
    height: 1,
    asked: [] as string[],
    batchLimit: 0,
    whileAsked: () => {},
    batches: [] as number[],
  }
  const rpc: JsonRpc = {
    async call(method) {
      state.asked.push(method)
      state.whileAsked()
      if (state.isDown) throw new Error('the chain node answered 429')
      if (state.refusal && method === 'read') throw state.refusal
      if (method === 'chain') return state.chain
      return method === 'head' ? state.height : `${method} of ${state.chain}`
    },
    async batch(calls) {
      state.batches.push(calls.length)
      if (calls.length > state.batchLimit) throw new NoBatchError()
      return Promise.all(calls.map(([method]) => rpc.call(method, [])))
    },
  }
  return { state, rpc }
}
const kind: NodeKind = {
  staleAfterMs: 60_000,
  async findStranger(rpc) {
    const chain = String(await rpc.call('chain', []))
    return chain === 'ours' ? undefined : `is of ${chain}`
  },
  readHead: async (rpc) => ({ height: Number(await rpc.call('head', [])), timeMs: undefined }),
}

function open(count: number) {
  const clock = createManualClock(NOW_MS)
  const scripted = Array.from({ length: count }, scriptedNode)
  const nodes = joinNodes(
    'base',
    scripted.map(({ rpc }, at) => createChainNode({ clock, host: `node${at}`, rpc, kind })),
  )
  const of = (at: number) => {
    const found = scripted[at]?.state
    if (!found) throw new Error('no such node')
    return found
  }
  const isReady = () =>
    nodes.ready(JUST_NOW_MS).then(
      () => true,
      () => false,
    )
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await nextTurn()
  }
  return { clock, nodes, of, isReady, settled }
}

test('a node that has not answered lately is asked before a sale, and one that has just answered is not', async () => {
  const { clock, nodes, of, isReady } = open(1)
  expect(await isReady()).toBe(true)
  expect(of(0).asked.toSorted()).toEqual(['chain', 'head'])
  clock.advance(JUST_NOW_MS)
  expect(await isReady()).toBe(true)
  expect(of(0).asked).toHaveLength(2)
  clock.advance(1)
  expect(await isReady()).toBe(true)
  expect(of(0).asked).toHaveLength(4)
  // What is read for other reasons counts as well.
  clock.advance(10_000)
  await nodes.rpc.call('read', [])
  expect(await isReady()).toBe(true)
  expect(of(0).asked).toHaveLength(5)
})

test('many sales at once share one look at the node', async () => {
  const { of, isReady } = open(1)
  expect(await Promise.all(Array.from({ length: 50 }, isReady))).toEqual(Array(50).fill(true))
  expect(of(0).asked).toHaveLength(2)
})

test('a node that failed stops sales at once, is asked beside them after a pause, and then sells again', async () => {
  const { clock, nodes, of, isReady, settled } = open(1)
  expect(await isReady()).toBe(true)
  of(0).isDown = true
  await expect(nodes.rpc.call('read', [])).rejects.toThrow('429')
  await settled()
  const asked = of(0).asked.length
  expect(await Promise.all([isReady(), isReady(), isReady()])).toEqual([false, false, false])
  expect(of(0).asked).toHaveLength(asked)
  of(0).isDown = false
  // The sale that finds the pause over is refused too: it does not wait for the answer.
  clock.advance(1_000)
  expect(await isReady()).toBe(false)
  await settled()
  expect(await isReady()).toBe(true)
})

test('while it fails the pauses between looks grow to a limit', async () => {
  const { clock, of, isReady, settled } = open(1)
  of(0).isDown = true
  for (let second = 0; second < 120; second++) {
    expect(await isReady()).toBe(false)
    await settled()
    clock.advance(1_000)
  }
  const looks = of(0).asked.filter((method) => method === 'head').length
  expect(looks).toBeGreaterThan(8)
  expect(looks).toBeLessThan(14)
})

test('a look that fails after an answer to something else still stops sales', async () => {
  const { clock, nodes, of, isReady } = open(1)
  expect(await isReady()).toBe(true)
  of(0).isDown = true
  clock.advance(1_000)
  expect(await isReady()).toBe(false)
  of(0).isDown = false
  await nodes.rpc.call('read', [])
  expect(await isReady()).toBe(false)
  expect(nodes.all[0]?.health().trouble).toMatchObject({ sinceMs: NOW_MS + 1_000 })
})

test('a head that stands still is a node that fails, until it moves', async () => {
  const { clock, nodes, of, isReady, settled } = open(1)
  expect(await isReady()).toBe(true)
  clock.advance(60_000)
  expect(await isReady()).toBe(true)
  clock.advance(1_000)
  expect(await isReady()).toBe(false)
  expect(nodes.all[0]?.health()).toMatchObject({
    headAgeMs: 61_000,
    trouble: { error: { message: 'its newest block, 1, is 61 s old' } },
  })
  of(0).height++
  clock.advance(1_000)
  await isReady()
  await settled()
  expect(await isReady()).toBe(true)
  expect(nodes.all[0]?.health()).toMatchObject({ headAgeMs: 0, trouble: undefined })
})

test('a refused call leaves the node well', async () => {
  const { nodes, of, isReady } = open(1)
  of(0).refusal = new JsonRpcRefusal('read', { code: -32_000, message: 'too many blocks' })
  await expect(nodes.rpc.call('read', [])).rejects.toThrow('too many blocks')
  expect(await isReady()).toBe(true)
})

test('the next node answers where the first fails, and the first again when it is well', async () => {
  const { clock, nodes, of, settled } = open(2)
  of(1).chain = 'ours'
  expect(await nodes.rpc.call('read', [])).toBe('read of ours')
  expect(of(1).asked).toEqual([])
  of(0).isDown = true
  expect(await nodes.rpc.call('read', [])).toBe('read of ours')
  // Its chain was looked at before it was used.
  expect(of(1).asked).toEqual(['chain', 'read'])
  await settled()
  const before = of(0).asked.length
  await nodes.rpc.call('read', [])
  expect(of(0).asked).toHaveLength(before)
  of(0).isDown = false
  clock.advance(1_000)
  await nodes.all[0]?.probe()
  await nodes.rpc.call('read', [])
  expect(of(0).asked.at(-1)).toBe('read')
})

test('a node of another chain is never asked for anything, also where it became one', async () => {
  const { clock, nodes, of, isReady } = open(2)
  of(0).chain = 'another chain'
  for (let time = 0; time < 5; time++) {
    expect(await nodes.rpc.call('read', [])).toBe('read of ours')
    expect(await isReady()).toBe(true)
    clock.advance(20_000)
    for (const at of [0, 1]) of(at).height++
  }
  expect(of(0).asked).not.toContain('read')
  expect(nodes.all[0]?.health().trouble).toMatchObject({ error: { message: 'is of another chain' } })
  of(1).isDown = true
  await expect(nodes.rpc.call('read', [])).rejects.toThrow('is of another chain')
  expect(await isReady()).toBe(false)
})

test('a node that failed is looked at again before it is used', async () => {
  const { nodes, of, settled } = open(1)
  await nodes.rpc.call('read', [])
  of(0).isDown = true
  await expect(nodes.rpc.call('read', [])).rejects.toThrow('429')
  await settled()
  of(0).isDown = false
  of(0).chain = 'another chain'
  of(0).asked.length = 0
  await expect(nodes.rpc.call('read', [])).rejects.toThrow('is of another chain')
  expect(of(0).asked).toEqual(['chain'])
})

test('what a contract refuses is the same on every node', async () => {
  const { nodes, of } = open(2)
  of(0).refusal = new JsonRpcRefusal('read', { code: 3, message: 'execution reverted' })
  await expect(nodes.rpc.call('read', [])).rejects.toThrow('reverted')
  expect(of(1).asked).toEqual([])
})

test('a chain is lost while all of its nodes are in trouble', async () => {
  const { nodes, of, isReady } = open(2)
  expect([await isReady(), nodes.isLost()]).toEqual([true, false])
  of(0).isDown = true
  await nodes.all[0]?.probe().catch(() => {})
  expect(nodes.isLost()).toBe(false)
  of(1).isDown = true
  await nodes.all[1]?.probe().catch(() => {})
  expect(nodes.isLost()).toBe(true)
  of(1).isDown = false
  await nodes.all[1]?.probe()
  expect(nodes.isLost()).toBe(false)
})

test('without a node nothing is ready', async () => {
  const { nodes, isReady } = open(0)
  expect([await isReady(), nodes.isStrained(), nodes.isLost()]).toEqual([false, false, false])
  await expect(nodes.rpc.call('read', [])).rejects.toThrow('no node of base')
})

test('a node is strained while it is in doubt, in trouble or slow, and nodes are while none is at ease', async () => {
  const { clock, nodes, of, settled } = open(2)
  const probe = () => nodes.all[0]?.probe().catch(() => {})
  expect(nodes.isStrained()).toBe(false)
  of(0).isDown = true
  await expect(nodes.all[0]?.rpc.call('read', [])).rejects.toThrow('429')
  expect([nodes.all[0]?.isStrained(), nodes.isStrained()]).toEqual([true, false])
  await settled()
  of(1).isDown = true
  await nodes.all[1]?.probe().catch(() => {})
  expect(nodes.isStrained()).toBe(true)
  of(0).isDown = false
  await probe()
  expect(nodes.isStrained()).toBe(false)
  of(0).whileAsked = () => clock.advance(1_100)
  await probe()
  expect(nodes.isStrained()).toBe(true)
  of(0).whileAsked = () => {}
  await probe()
  expect(nodes.isStrained()).toBe(false)
})

const readsOf = (count: number) => Array.from({ length: count }, () => ['read', []] as const)

test('a node without batches is well, is asked one by one, and is not offered batches every time', async () => {
  const { clock, nodes, of, isReady } = open(2)
  for (let time = 0; time < 3; time++)
    expect(await nodes.rpc.batch(readsOf(2))).toEqual(['read of ours', 'read of ours'])
  expect([of(0).batches, of(1).asked]).toEqual([[2], []])
  expect([await isReady(), nodes.all[0]?.health().trouble]).toEqual([true, undefined])
  clock.advance(10 * 60_000)
  of(0).batchLimit = 2
  await nodes.rpc.batch(readsOf(2))
  expect(of(0).batches).toEqual([2, 2])
})

test('a node that takes small batches only gets those', async () => {
  const { nodes, of } = open(1)
  of(0).batchLimit = 2
  const rpc = nodes.all[0]?.rpc as JsonRpc
  for (let time = 0; time < 2; time++)
    for (const count of [5, 2]) expect(await callTogether(rpc, readsOf(count))).toHaveLength(count)
  expect(of(0).batches).toEqual([5, 2, 2])
})
