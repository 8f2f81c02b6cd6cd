import { expect, test } from 'vitest'
import type { EncodedText } from '../../catalog/encoded-text.ts'
import type { RecordHead } from '../../ledger/ports/record-book.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { createRecordWorld, FIRST_S } from '../../testing/record/record-world.ts'
import { askOf, type Page, servicesOf } from '../../testing/record/replies.ts'
import { leafBlocksOf } from './leaf-blocks.ts'
import { record } from './record.ts'
import type { PublicRecord } from './services.ts'
import { recordSummary } from './summary.ts'

/** A record whose reads are counted: leaves of pages, and entries by their id. */
async function countedWorld(windows: number) {
  const world = createRecordWorld()
  await world.keeper.start()
  await world.windows(windows)
  const { reader } = world.keeper
  const read = { leaves: 0, entries: 0 }
  const page: typeof reader.page = (from, limit) => {
    read.leaves += limit
    return reader.page(from, limit)
  }
  const find: typeof reader.find = (id) => {
    read.entries++
    return reader.find(id)
  }
  const ask = askOf({ clock: world.clock, keeper: { reader: { ...reader, page, find } } })
  return { world, read, ask: (params: object) => ask(record, params) as Promise<Page>, proof: ask }
}

const SPANS = [
  ...[
    { from: 0, limit: 1_000 },
    { from: 0, limit: 1 },
    { from: 249, limit: 2 },
    { from: 250, limit: 250 },
  ],
  ...[{ from: 3, limit: 700 }, { from: 499, limit: 1 }, { limit: 1_000 }, { limit: 7 }, { from: 1e9 }],
]

test('a page is the same however often and in whatever parts it was asked for before', async () => {
  const { world, ask } = await countedWorld(10)
  for (let grown = 10; grown < 130; grown += 30) {
    const { leaves, heads } = world.rows
    for (const { from, limit = 100 } of [...SPANS, ...SPANS].reverse()) {
      const first = Math.min(from ?? Math.max(0, leaves.length - limit), leaves.length)
      const end = Math.min(first + limit, leaves.length)
      const page = await ask({ limit, ...(from !== undefined && { from }) })
      expect(page.entries).toEqual(
        leaves.slice(first, end).map((text, n) => ({ index: first + n, leaf: JSON.parse(text) })),
      )
      expect(page.heads).toEqual(
        heads.filter(({ treeSize }) => treeSize > first && treeSize <= end).map(toPublicHead),
      )
      expect(page.head).toEqual(toPublicHead(heads.at(-1) as never))
      expect(page.next).toBe(end < leaves.length ? end : null)
    }
    await world.windows(30, FIRST_S + grown * 300)
  }
})

test('leaves that were read once are not read again, and of the newest only what came since', async () => {
  const { world, read, ask } = await countedWorld(60)
  const size = world.rows.leaves.length
  await Promise.all([ask({ limit: 1_000 }), ask({ limit: 1_000 }), ask({ from: 5, limit: 300 })])
  for (let from = 0; from < size; from += 7) await ask({ from, limit: 100 })
  expect(read.leaves).toBe(size)
  await world.windows(1, FIRST_S + 60 * 300)
  const page = await ask({ limit: 1_000 })
  expect(page.entries).toHaveLength(world.rows.leaves.length)
  expect(read.leaves).toBe(world.rows.leaves.length)
})

test('a record of any length keeps a bounded part of it', async () => {
  const { world } = await countedWorld(1)
  const leaf = JSON.parse(world.rows.leaves[0] ?? '')
  const size = 21_000
  let read = 0
  const page = async (from: number, limit: number) => {
    read += limit
    return Array.from({ length: limit }, (_, n) => ({ index: from + n, leaf }))
  }
  const textsOf = leafBlocksOf({ page, heads: async () => [] } as unknown as PublicRecord)
  const readAll = async () => {
    for (let from = 0; from < size; from += 1_000)
      expect((await textsOf(from, from + 1_000)).leaves).toHaveLength(1_000)
  }
  await readAll()
  await readAll()
  expect(read).toBe(2 * size)
})

test('equal pages are the same text until the next head or anchor', async () => {
  const { world } = await countedWorld(5)
  const services = servicesOf(world)
  const textOf = async (from = 0) =>
    ((await record.handle(services, { from, limit: 10 })) as EncodedText).text
  const first = await record.handle(services, { from: 0, limit: 10 })
  expect(await record.handle(services, { from: 0, limit: 10 })).toBe(first)
  expect(await textOf(1)).not.toBe(await textOf(0))
  const { treeSize, rootHash } = world.rows.heads[0] as RecordHead
  await world.book.addAnchor({ treeSize, rootHash, network: 'eip155:1', tx: '0x1', atMs: world.clock.now() })
  const anchored = await textOf()
  expect(JSON.parse(anchored).anchors).toHaveLength(1)
  await world.windows(1, FIRST_S + 5 * 300)
  expect(JSON.parse(await textOf()).head.tree_size).toBe(world.rows.leaves.length)
})

test('a window that is over is read once for all pages of the list', async () => {
  const { world, read, proof } = await countedWorld(30)
  const lastS = FIRST_S + 29 * 300
  const list = async () => {
    const { entries } = (await proof(recordSummary, { before: lastS })) as { entries: { state: string }[] }
    return entries
  }
  const first = await list()
  const before = read.entries
  expect(await list()).toEqual(first)
  const open = first.filter(({ state }) => state === 'committed').length
  expect([first.length, before, read.entries - before]).toEqual([48, 48, open])
  await world.windows(2, lastS + 300)
  expect((await list()).every(({ state }) => state !== 'committed')).toBe(true)
})
