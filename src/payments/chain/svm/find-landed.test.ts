import { expect, test } from 'vitest'
import type { JsonRpc } from '../json-rpc.ts'
import type { Life } from './blockhash-life.ts'
import { createFindLanded } from './find-landed.ts'
import type { MessageHashes } from './message-hashes.ts'

const CLAIMED_S = 1_767_614_400
const HASH = 'the message'
const GONE: Life = { floorSlot: 0, goneAtSlot: 5_000 }
const ALIVE: Life = { floorSlot: 0, goneAtSlot: undefined }
type Entry = { signature: string; slot: number; err: unknown; blockTime: number | null }
type Options = { entries: readonly Entry[]; pageSize?: number; firstBlockS?: number; landed?: string }

/** A payer's transactions, newest first, on a node that counts what it is asked. */
function open({ entries, pageSize = 1_000, firstBlockS = 0, landed }: Options) {
  const asked = { pages: 0, reads: 0, minSlots: [] as (number | undefined)[] }
  const rpc: JsonRpc = {
    async call(method, [, options]) {
      if (method === 'getFirstAvailableBlock') return 1
      if (method === 'getBlockTime') return firstBlockS
      if (method !== 'getSignaturesForAddress') throw new Error(`${method} is not scripted`)
      asked.pages++
      const { before, minContextSlot } = options as { before?: string; minContextSlot?: number }
      asked.minSlots.push(minContextSlot)
      const from = before === undefined ? 0 : entries.findIndex(({ signature }) => signature === before) + 1
      return entries.slice(from, from + pageSize)
    },
    batch: async () => [],
  }
  const known = new Set<string>()
  const hashes: MessageHashes = {
    knows: (signature) => known.has(signature),
    async landed(signature) {
      if (!known.has(signature)) asked.reads++
      known.add(signature)
      return signature === landed ? HASH : `other than ${signature}`
    },
  }
  const findLanded = createFindLanded(rpc, hashes)
  const sought = { payer: 'payer', hash: HASH, blockhash: 'blockhash', claimedAtMs: CLAIMED_S * 1_000 }
  return { asked, find: (life: Life, upToSlot?: number) => findLanded(sought, life, upToSlot) }
}
const entriesBetween = (fromS: number, toS: number, perSecond: number): Entry[] =>
  Array.from({ length: (toS - fromS) * perSecond }, (_, n) => {
    const blockTime = CLAIMED_S + toS - Math.floor(n / perSecond) - 1
    return { signature: `s${n}`, slot: blockTime - CLAIMED_S + 100_000, err: null, blockTime }
  })

/** As reconciling does: asks again until it is decided. */
async function untilDecided({ find }: ReturnType<typeof open>, life: Life) {
  for (let calls = 1; ; calls++) {
    const answer = await find(life).then(
      (found) => ({ found }),
      (error: Error) => {
        expect(error.message).toContain('goes on')
        return undefined
      },
    )
    if (answer) return { ...answer, calls }
  }
}

test('of a busy payer only transactions around the claim are read', async () => {
  const entries = entriesBetween(-20_000, 20_000, 1)
  const node = open({ entries })
  expect(await untilDecided(node, GONE)).toMatchObject({ found: undefined })
  expect(node.asked.reads).toBeLessThanOrEqual(1_201)
  expect(node.asked.pages).toBeLessThanOrEqual(50)
})

test('a payer with more transactions than one call reads is decided in the end, and none is read twice', async () => {
  const entries = entriesBetween(-400, 2_000, 10)
  const landed = entries.find(({ blockTime }) => blockTime === CLAIMED_S - 200)?.signature ?? ''
  const node = open({ entries, landed })
  const { found, calls } = await untilDecided(node, GONE)
  expect([found, calls > 20]).toEqual([landed, true])
  expect(node.asked.reads).toBeLessThanOrEqual(12_100)
  const none = open({ entries })
  expect(await untilDecided(none, GONE)).toMatchObject({ found: undefined })
  expect(none.asked.reads).toBe(12_010)
})

test('a node that returns short pages has not ended its list', async () => {
  const entries = entriesBetween(-100, 300, 1)
  const landed = entries.at(-1)?.signature ?? ''
  expect(await untilDecided(open({ entries, landed, pageSize: 100 }), GONE)).toMatchObject({ found: landed })
})

test('a node that has forgotten the time of the payment does not say that it never landed', async () => {
  const entries = entriesBetween(400, 500, 1)
  await expect(open({ entries, firstBlockS: CLAIMED_S + 390 }).find(GONE)).rejects.toThrow('no longer has')
  expect(await open({ entries, firstBlockS: CLAIMED_S - 400 }).find(GONE)).toBeUndefined()
})

test('also where it still lists something older, and where the blockhash lives and the answer decides', async () => {
  const entries = [...entriesBetween(400, 500, 1), ...entriesBetween(-500, -400, 1)]
  const pruned = { entries, firstBlockS: CLAIMED_S + 390 }
  await expect(open(pruned).find(GONE)).rejects.toThrow('no longer has')
  await expect(open(pruned).find(ALIVE, 5_000)).rejects.toThrow('no longer has')
  expect(await open(pruned).find(ALIVE)).toBeUndefined()
})

test('what was searched while it could still land is searched again when it no longer can', async () => {
  const entries = entriesBetween(-300, 900, 2)
  const node = open({ entries })
  await expect(node.find(ALIVE)).rejects.toThrow('goes on')
  const landed = { signature: 'late', slot: 200_000, err: null, blockTime: CLAIMED_S + 60 }
  const later = open({ entries: [landed, ...entries], landed: 'late' })
  expect(await later.find(GONE)).toBe('late')
})

test('a machine that has not come so far is not asked, nor one that has not what the last page showed', async () => {
  const entries = entriesBetween(-100, 200, 1)
  const node = open({ entries, pageSize: 100 })
  await node.find(ALIVE, 7_000)
  expect(node.asked.minSlots).toEqual([7_000, 100_100, 100_100, 100_100])
  const alive = open({ entries })
  await alive.find(ALIVE)
  expect(alive.asked.minSlots).toEqual([undefined])
})

test('an entry without a time may be the one', async () => {
  const entries = [{ signature: 'a', slot: 1, err: null, blockTime: null }]
  expect(await open({ entries, landed: 'a' }).find(GONE)).toBe('a')
})
