import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Level } from '../../../core/level.ts'
import { createDepthSync, MAX_KEPT_CHANGES } from './depth-sync.ts'

/** A change from `firstId` to `lastId` that leaves a bid of the size `lastId`. */
function change(firstId: number, lastId = firstId, bids: readonly Level[] = [[100, lastId]]) {
  return { firstId, lastId, atMs: 1_000 + lastId, bids, asks: [] }
}

function snapshot(lastId: number, bids: readonly Level[] = [[100, lastId]]) {
  return { lastId, bids, asks: [[101, 1]] as const }
}

function started(lastId: number) {
  const sync = createDepthSync()
  sync.start(snapshot(lastId))
  return sync
}

test('changes that came before the snapshot are applied after it, those it holds already are not', () => {
  const sync = createDepthSync()
  for (const id of [5, 6, 7, 8]) expect(sync.change(change(id))).toBe('kept')
  expect(
    sync.start(
      snapshot(6, [
        [100, 6],
        [99, 1],
      ]),
    ),
  ).toBe('changed')
  expect(sync.read()).toEqual({
    bids: [
      [100, 8],
      [99, 1],
    ],
    asks: [[101, 1]],
    atMs: 1_008,
  })
  expect(sync.change(change(9))).toBe('changed')
})

test('a snapshot that already holds every kept change has no time yet', () => {
  const sync = createDepthSync()
  sync.change(change(5))
  expect(sync.start(snapshot(9))).toBe('changed')
  expect(sync.read().atMs).toBeUndefined()
})

test('a snapshot older than the first kept change is refused, and a newer one taken', () => {
  const sync = createDepthSync()
  sync.change(change(10))
  sync.change(change(11))
  expect(sync.start(snapshot(8))).toBe('older')
  expect(sync.start(snapshot(9))).toBe('changed')
  expect(sync.read().bids).toEqual([[100, 11]])
})

test('a snapshot in the middle of a change is completed by it', () => {
  const sync = createDepthSync()
  sync.change(change(5, 9))
  expect(sync.start(snapshot(7))).toBe('changed')
  expect(sync.read()).toMatchObject({ bids: [[100, 9]], atMs: 1_009 })
})

test.each([
  ['lost', [5, 7]],
  ['swapped', [5, 7, 6]],
])('of changes %s before the snapshot only the run after them counts', (_, ids) => {
  const sync = createDepthSync()
  for (const id of ids) sync.change(change(id))
  expect(sync.start(snapshot(5))).toBe('older')
  expect(sync.start(snapshot(6))).toBe('changed')
  expect(sync.read().bids).toEqual([[100, 7]])
})

test('a repeated change is known, a gap is noticed, and nothing of either is applied', () => {
  const sync = started(5)
  expect(sync.change(change(6))).toBe('changed')
  expect(sync.change(change(6, 6, [[100, 99]]))).toBe('old')
  expect(sync.change(change(4, 5, [[100, 99]]))).toBe('old')
  expect(sync.change(change(8))).toBe('gap')
  expect(sync.read()).toMatchObject({ bids: [[100, 6]], atMs: 1_006 })
  expect(sync.change(change(7, 8))).toBe('changed')
})

test('a loaded book takes changes while it waits for a newer snapshot, which they complete', () => {
  const sync = started(5)
  sync.change(change(6))
  sync.awaitSnapshot()
  expect(sync.start(snapshot(5))).toBe('older')
  expect(sync.change(change(7))).toBe('changed')
  expect(sync.change(change(8))).toBe('changed')
  expect(sync.start(snapshot(5))).toBe('older')
  expect(sync.read()).toMatchObject({ bids: [[100, 8]] })
  expect(
    sync.start(
      snapshot(7, [
        [100, 7],
        [99, 3],
      ]),
    ),
  ).toBe('changed')
  expect(sync.read()).toMatchObject({
    bids: [
      [100, 8],
      [99, 3],
    ],
    atMs: 1_008,
  })
  expect(sync.change(change(9))).toBe('changed')
})

test('a size of 0 removes a level, known or not', () => {
  const sync = started(5)
  sync.change(
    change(6, 6, [
      [100, 0],
      [42, 0],
      [99.5, 3],
    ]),
  )
  expect(sync.read().bids).toEqual([[99.5, 3]])
})

test('a snapshot that never comes does not fill the memory', () => {
  const sync = createDepthSync()
  for (let id = 1; id <= 3 * MAX_KEPT_CHANGES + 1; id++) sync.change(change(id))
  expect(sync.start(snapshot(MAX_KEPT_CHANGES))).toBe('older')
  expect(sync.start(snapshot(3 * MAX_KEPT_CHANGES))).toBe('changed')
})

test('whatever the line does, a book shown as good is the book of the venue', () => {
  const levels = fc.array(fc.tuple(fc.integer({ min: 90, max: 99 }), fc.integer({ min: 0, max: 3 })), {
    maxLength: 4,
  })
  const faults = fc.array(fc.constantFrom('fine', 'fine', 'lost', 'twice', 'late'), {
    minLength: 30,
    maxLength: 30,
  })
  fc.assert(
    fc.property(
      fc.array(levels, { minLength: 30, maxLength: 30 }),
      faults,
      fc.nat(29),
      (diffs, line, asked) => {
        const truth: Map<number, number>[] = [new Map()]
        const sent = diffs.map((bids, at) => {
          const next = new Map(truth[at])
          for (const [price, size] of bids) size === 0 ? next.delete(price) : next.set(price, size)
          truth.push(next)
          return change(at + 1, at + 1, bids)
        })
        const heard = sent.flatMap((each, at) => {
          const late = line[at - 1] === 'late' ? (sent[at - 1] ?? []) : []
          if (line[at] === 'lost' || line[at] === 'late') return late
          return [each, line[at] === 'twice' ? each : [], late].flat()
        })
        const sync = createDepthSync()
        let lastId: number | undefined
        for (const each of heard) {
          const taken = sync.change(each)
          if (taken === 'gap') return
          if (taken === 'changed') lastId = each.lastId
          if (taken === 'kept' && each.lastId >= asked) {
            const levelsNow = [...(truth[asked] ?? [])].map(([price, size]) => [price, size] as const)
            if (sync.start(snapshot(asked, levelsNow)) === 'older') return
            lastId = Math.max(asked, each.lastId)
          }
          if (lastId === undefined) continue
          const own = [...(truth[lastId] ?? [])].sort(([a], [b]) => b - a)
          expect(sync.read().bids).toEqual(own)
        }
      },
    ),
  )
})
