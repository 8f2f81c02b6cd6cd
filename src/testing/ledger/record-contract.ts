import { describe, expect, test } from 'vitest'
import type { RecordAppend, RecordHead } from '../../ledger/ports/record-book.ts'
import type { OpenedStores } from './opened-stores.ts'

const headOf = (treeSize: number): RecordHead => ({
  treeSize,
  rootHash: `${treeSize}`.padStart(64, '0'),
  atMs: 1_000 + treeSize,
  keyId: 'did:key:z6Mk',
  mode: 'sandbox',
  signature: `signature ${treeSize}`,
})
const anchorOf = (treeSize: number, atMs = treeSize) => ({
  treeSize,
  rootHash: 'a'.repeat(64),
  network: 'eip155:8453',
  tx: `0x${treeSize}`,
  atMs,
})
const entry = (from: number, ids: readonly string[], more: Partial<RecordAppend> = {}): RecordAppend => ({
  from,
  leaves: ids.map((id, n) => ({ id, text: `{"leaf":${from + n},"of":"${id} ü"}` })),
  head: headOf(from + ids.length),
  keep: [],
  forget: [],
  ...more,
})
const unavailable = { code: 'store_unavailable' }

export function recordContract(opened: OpenedStores): void {
  describe('the record', () => {
    keepingContract(opened)
    refusingContract(opened)
  })
}

function keepingContract({ open, restart }: OpenedStores): void {
  test('is empty at first', async () => {
    const { record } = await open()
    expect(await record.size()).toBe(0)
    expect([await record.newestHead(), await record.newestAnchor()]).toEqual([undefined, undefined])
    expect([await record.leaves(0, 10), await record.heads(0, 10), await record.secrets()]).toEqual([
      [],
      [],
      [],
    ])
  })

  test('gives back leaves, heads, secrets and anchors after a restart', async () => {
    const { store, restarted } = await restart()
    await store.record.append(entry(0, ['a', 'b'], { keep: [{ id: 'a', text: 'salt of a' }] }))
    await store.record.append(entry(2, ['a'], { keep: [{ id: 'b', text: 'salt of b' }], forget: ['a'] }))
    await store.record.addAnchor(anchorOf(2))
    const { record } = await restarted()
    expect(await record.size()).toBe(3)
    expect(await record.leaves(1, 1)).toEqual(['{"leaf":1,"of":"b ü"}'])
    expect(await record.leaves(1, 9)).toHaveLength(2)
    expect(await record.leavesOf('a')).toEqual([
      { index: 0, text: '{"leaf":0,"of":"a ü"}' },
      { index: 2, text: '{"leaf":2,"of":"a ü"}' },
    ])
    expect(await record.leavesOf('nobody')).toEqual([])
    expect(await record.newestHead()).toEqual(headOf(3))
    expect(await record.secrets()).toEqual([{ id: 'b', text: 'salt of b' }])
    expect(await record.newestAnchor()).toEqual(anchorOf(2))
  })

  test('finds heads and anchors by the size they cover', async () => {
    const { record } = await open()
    for (let size = 0; size < 9; size += 3) await record.append(entry(size, ['a', 'b', 'c']))
    for (const size of [6, 3]) await record.addAnchor(anchorOf(size))
    expect((await record.heads(3, 9)).map(({ treeSize }) => treeSize)).toEqual([6, 9])
    expect((await record.heads(2, 8)).map(({ treeSize }) => treeSize)).toEqual([3, 6])
    expect((await record.anchors(0, 3)).map(({ treeSize }) => treeSize)).toEqual([3])
    expect((await record.anchors(0, 9)).map(({ treeSize }) => treeSize)).toEqual([3, 6])
    expect(await record.newestAnchor()).toEqual(anchorOf(6))
  })
}

function refusingContract({ open, openTwice, keepsOrder }: OpenedStores): void {
  test.each<[string, RecordAppend]>([
    ['a leaf that is there already', entry(1, ['x'])],
    ['a leaf beyond the end', entry(3, ['x'])],
    ['a head over fewer leaves', entry(2, ['x'], { head: headOf(2) })],
    ['a head over more leaves', entry(2, ['x'], { head: headOf(4) })],
    ['a second secret of one entry', entry(2, ['x'], { keep: [{ id: 'a', text: 'another' }] })],
    ['nothing', entry(2, [])],
  ])('refuses %s, and then nothing of it is there', async (_, refused) => {
    const { record } = await open()
    await record.append(entry(0, ['a', 'b'], { keep: [{ id: 'a', text: 'salt of a' }] }))
    await expect(record.append(refused)).rejects.toMatchObject(unavailable)
    expect(await record.size()).toBe(2)
    expect(await record.newestHead()).toEqual(headOf(2))
    expect(await record.secrets()).toEqual([{ id: 'a', text: 'salt of a' }])
    await record.append(entry(2, ['c']))
    expect(await record.leaves(0, 9)).toHaveLength(3)
  })

  test('of two processes that add at one place only one succeeds', async () => {
    const [first, second] = await openTwice()
    const outcomes = await Promise.allSettled([
      first.record.append(entry(0, ['a'])),
      second.record.append(entry(0, ['b'])),
    ])
    const added = outcomes.flatMap(({ status }, at) => (status === 'fulfilled' ? ['ab'[at]] : []))
    expect(added).toEqual(keepsOrder ? ['a'] : [expect.anything()])
    expect(await second.record.leaves(0, 9)).toEqual([`{"leaf":0,"of":"${added[0]} ü"}`])
  })
}
