import { expect, test } from 'vitest'
import { expectedUse, tokenLog } from '../../../testing/payments/authorization-logs.ts'
import { type JsonRpc, JsonRpcRefusal } from '../json-rpc.ts'
import { findBlockAt } from './block-at.ts'
import { createFindUse } from './find-use.ts'

const GENESIS_S = 1_700_000_000
const BLOCK_S = 2
/** As high as Base is after years. */
const HEAD = 40_000_000
const timeOf = (block: number) => GENESIS_S + block * BLOCK_S
const toHex = (value: number) => `0x${value.toString(16)}`
const latest = { number: HEAD, timestamp: timeOf(HEAD) }
const expected = { ...expectedUse, validBeforeS: timeOf(HEAD) - 3_000 }
/** Five minutes before it expires, as stock clients sign. */
const CLAIMED_S = expected.validBeforeS - 300

type Options = { usedAt: number | undefined; logLimit?: number; refusesFrom?: number }

/** A node of a chain with a block every two seconds, which counts what it is asked. */
function baseNode({ usedAt, logLimit = 500, refusesFrom = Number.POSITIVE_INFINITY }: Options) {
  const asked = { blocks: 0, logs: 0, refused: 0, largest: 0 }
  const state = { logLimit, forgetsBefore: 0 }
  const log = (block: number) => ({ ...tokenLog(), blockNumber: toHex(block), logIndex: '0x0' })
  const rpc: JsonRpc = {
    async call(method, [first]) {
      if (method === 'eth_getBlockByNumber') {
        asked.blocks++
        return { number: first, timestamp: toHex(timeOf(Number(first))) }
      }
      if (method !== 'eth_getLogs') throw new Error(`${method} is not scripted`)
      const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string }
      const [from, to] = [Number(fromBlock), Number(toBlock)]
      if (to - from + 1 > state.logLimit || asked.logs >= refusesFrom) {
        asked.refused++
        throw new JsonRpcRefusal(method, { code: -32_005, message: 'query exceeds max block range' })
      }
      asked.logs++
      asked.largest = Math.max(asked.largest, to - from + 1)
      const isShown = usedAt !== undefined && from <= usedAt && usedAt <= to && usedAt >= state.forgetsBefore
      return isShown ? [log(usedAt)] : []
    },
    batch: () => Promise.reject(new Error('not asked here')),
  }
  return { rpc, asked, state }
}
const blockAt = (atS: number) => Math.floor((atS - GENESIS_S) / BLOCK_S)
const search = (rpc: JsonRpc) => {
  const findUse = createFindUse({ rpc, logRangeBlocks: 500 })
  return (claimedAtMs: number | undefined = CLAIMED_S * 1_000, head = latest) =>
    findUse(expected, head, claimedAtMs)
}

test.each([500, 100, 10, 3, 1])(
  'a payment is found on a node that gives %i blocks of logs at a time',
  async (logLimit) => {
    const usedAt = blockAt(CLAIMED_S + 6)
    const { rpc, asked } = baseNode({ usedAt, logLimit })
    expect(await search(rpc)()).toMatchObject({ blockNumber: usedAt })
    expect(asked.largest).toBeLessThanOrEqual(logLimit)
    // It begins where the payment came, so the first pages have it.
    expect(asked.logs).toBeLessThanOrEqual(15)
    expect(asked.blocks).toBeLessThanOrEqual(12)
  },
)

test('what a node took is remembered', async () => {
  const { rpc, asked } = baseNode({ usedAt: blockAt(CLAIMED_S + 6), logLimit: 10 })
  const find = search(rpc)
  await find()
  const { refused } = asked
  expect(refused).toBeGreaterThan(0)
  await find()
  expect(asked.refused).toBe(refused)
})

test('a refusal that had another reason does not make pages small for ever', async () => {
  const { rpc, asked, state } = baseNode({ usedAt: blockAt(CLAIMED_S + 6), logLimit: 1 })
  const find = search(rpc)
  await find()
  state.logLimit = 500
  asked.largest = 0
  for (let time = 0; time < 200; time++) await find()
  expect(asked.largest).toBeGreaterThan(1)
})

test('a payment that somebody sent before it came to us is found too', async () => {
  const usedAt = blockAt(CLAIMED_S - 600)
  const { rpc } = baseNode({ usedAt, logLimit: 50 })
  expect(await search(rpc)()).toMatchObject({ blockNumber: usedAt })
})

test('a search that is too long for one call goes on in the next, and asks for no block twice', async () => {
  const usedAt = blockAt(CLAIMED_S - 900)
  const { rpc, asked } = baseNode({ usedAt, logLimit: 1 })
  const find = search(rpc)
  let calls = 0
  let found: unknown
  while (found === undefined) {
    calls++
    found = await find().catch((error: Error) => {
      expect(error.message).toContain('goes on')
      return undefined
    })
  }
  expect(found).toMatchObject({ blockNumber: usedAt })
  expect(calls).toBeGreaterThan(5)
  // Up to ten minutes after the expiry and then down to the use: each block once.
  expect(asked.logs).toBeLessThanOrEqual((300 + 600 + 20 + 900) / BLOCK_S + 5)
})

test('a node that refuses even one block is not believed', async () => {
  const { rpc, asked } = baseNode({ usedAt: blockAt(CLAIMED_S), refusesFrom: 0 })
  await expect(search(rpc)()).rejects.toThrow('max block range')
  expect(asked.logs).toBe(0)
})

test('a use that is nowhere is out of reach while it could still come, and undefined when all its time was searched', async () => {
  const { rpc } = baseNode({ usedAt: blockAt(expected.validBeforeS - 2_000) })
  const number = blockAt(expected.validBeforeS + 600)
  await expect(search(rpc)(undefined, { number, timestamp: timeOf(number) })).rejects.toThrow('out of reach')
  expect(await search(rpc)()).toBeUndefined()
})

test('a search that began where the node had lost the block begins again when it finds nothing', async () => {
  const usedAt = blockAt(CLAIMED_S)
  const { rpc, state } = baseNode({ usedAt, logLimit: 6 })
  const number = blockAt(CLAIMED_S + 400)
  const find = search(rpc)
  const head = { number, timestamp: timeOf(number) }
  state.forgetsBefore = number
  for (let call = 0; call < 2; call++) await expect(find(undefined, head)).rejects.toThrow('goes on')
  state.forgetsBefore = 0
  // The last pages of the first search, and then the first one of the second.
  expect(await find(undefined, head)).toMatchObject({ blockNumber: usedAt })
})

test('without the time of the claim the whole life of the payment is searched', async () => {
  const usedAt = blockAt(expected.validBeforeS - 1_000)
  const { rpc } = baseNode({ usedAt })
  expect(await createFindUse({ rpc, logRangeBlocks: 500 })(expected, latest, undefined)).toMatchObject({
    blockNumber: usedAt,
  })
})

test.each([0, 1, 2, 3, 1_000, 80_000_000, 79_999_999])(
  'the block at %i s after the first is found',
  async (s) => {
    const { rpc, asked } = baseNode({ usedAt: undefined })
    expect(await findBlockAt(rpc, latest, GENESIS_S + s)).toBe(Math.floor(s / BLOCK_S))
    expect(asked.blocks).toBeLessThanOrEqual(8)
  },
)

test('before the first block there is none older', async () => {
  const { rpc } = baseNode({ usedAt: undefined })
  expect(await findBlockAt(rpc, latest, GENESIS_S - 10)).toBe(0)
})

test('blocks that come at odd times are found in few steps', async () => {
  // Long idle times, as on a local chain: nearly all blocks lie at the end.
  const times = Array.from({ length: 10_000 }, (_, n) => (n < 9_990 ? n : n * 1_000))
  let asked = 0
  const rpc: JsonRpc = {
    async call(_, [number]) {
      asked++
      return { number, timestamp: toHex(times[Number(number)] ?? 0) }
    },
    batch: async () => [],
  }
  const head = { number: 9_999, timestamp: times[9_999] ?? 0 }
  expect(await findBlockAt(rpc, head, 5_000)).toBe(5_000)
  expect(await findBlockAt(rpc, head, 9_990_500)).toBe(9_990)
  expect(asked).toBeLessThan(70)
})
