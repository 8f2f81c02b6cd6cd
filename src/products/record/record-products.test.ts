import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import { isEncodedText } from '../../catalog/encoded-text.ts'
import type { ProductOf } from '../../catalog/endpoints/endpoint.ts'
import { canonicalJson, type Json } from '../../core/canonical-json.ts'
import { hashLeaf } from '../../record/log/merkle-tree.ts'
import { createRecordWorld, FIRST_S } from '../../testing/record/record-world.ts'
import { recordCalibration } from './calibration.ts'
import { recordEntry } from './entry.ts'
import { recordGroup } from './group.ts'
import { recordProof } from './proof.ts'
import { record } from './record.ts'
import type { RecordServices } from './services.ts'

type Reply = Record<string, never>
type Proof = { first_root: string; second_root: string; path: string[] }
async function worldOf(windows: number) {
  const world = createRecordWorld()
  await world.keeper.start()
  await world.windows(windows)
  return { world, ask: askOf({ clock: world.clock, record: world.keeper.reader }) }
}
function askOf(some: Omit<RecordServices, 'sourceOf'>) {
  const services: RecordServices = { sourceOf: (source) => `sandbox:${source}`, ...some }
  return async (product: ProductOf<RecordServices>, params: object = {}) => {
    const made = await product.handle(services, product.params.parse(params))
    return product.response.parse(isEncodedText(made) ? JSON.parse(made.text) : made) as Reply
  }
}
const node = (left: string, right: string) =>
  createHash('sha256')
    .update(Buffer.from(`01${left}${right}`, 'hex'))
    .digest('hex')

/** Climbs from a leaf to the root as RFC 9162, section 2.1.3.2 describes it. */
function climb(leafHash: string, index: number, size: number, path: readonly string[]): string {
  let [fn, sn, hash] = [index, size - 1, leafHash]
  for (const beside of path) {
    if (fn % 2 === 1 || fn === sn) {
      hash = node(beside, hash)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else hash = node(hash, beside)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return hash
}

/** Section 2.1.4.2: both roots follow from the earlier one and the path. */
function extend(first: number, second: number, firstRoot: string, path: readonly string[]): [string, string] {
  let [fn, sn] = [first - 1, second - 1]
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)]
  const [start = '', ...rest] = Number.isInteger(Math.log2(first)) ? [firstRoot, ...path] : path
  let [early, late] = [start, start]
  for (const beside of rest) {
    if (fn % 2 === 1 || fn === sn) {
      ;[early, late] = [node(beside, early), node(beside, late)]
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else late = node(late, beside)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return [early, late]
}

describe('/record', () => {
  test('shows the newest leaves unless asked for others, and says where the next page starts', async () => {
    const { ask, world } = await worldOf(30)
    const size = world.rows.leaves.length
    const newest = await ask(record, { limit: 10 })
    expect(newest).toMatchObject({
      from: size - 10,
      next: null,
      head: { tree_size: size },
      source: 'sandbox:record',
    })
    expect(newest.entries).toHaveLength(10)
    const first = await ask(record, { from: 0, limit: 10 })
    expect(first).toMatchObject({ from: 0, next: 10 })
    expect(await ask(record, { from: size + 5 })).toMatchObject({ entries: [], next: null })
    expect(first.totals).toMatchObject({ entries: 120 })
  })

  test('of an empty record has no head', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    const ask = askOf({ clock: world.clock, record: world.keeper.reader })
    expect(await ask(record)).toMatchObject({ head: null, entries: [], next: null, totals: { entries: 0 } })
    expect(await ask(recordCalibration)).toMatchObject({ tree_size: 0, overall: { brier: null, bins: [] } })
  })

  test('is 503 while it is being read, and where none is kept', async () => {
    const world = createRecordWorld()
    const ask = askOf({ clock: world.clock, record: world.keeper.reader })
    await expect(ask(record)).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await expect(askOf({ clock: world.clock })(record)).rejects.toMatchObject({
      code: 'upstream_unavailable',
    })
  })

  test.each([{ limit: 1_001 }, { limit: 0 }, { from: -1 }, { from: 1.5 }])(
    '%j breaks the schema',
    (params) => {
      expect(record.params.safeParse(params).success).toBe(false)
    },
  )
})

describe('/record/{id}', () => {
  test('tells an entry, and after its window what was predicted and what came', async () => {
    const { ask } = await worldOf(3)
    expect(await ask(recordEntry, { id: `BTC-${FIRST_S}` })).toMatchObject({
      state: 'revealed',
      window_end: FIRST_S + 300,
      leaves: [
        { leaf: { kind: 'commit' } },
        { leaf: { kind: 'reveal', outcome: expect.any(String) } },
      ] as object,
    })
    const open = await ask(recordEntry, { id: `BTC-${FIRST_S + 600}` })
    expect(open).toMatchObject({ state: 'committed' })
    expect(JSON.stringify(open)).not.toMatch(/probability|salt/)
  })

  test('an entry nobody made is 404, what is no id breaks the schema', async () => {
    const { ask } = await worldOf(1)
    await expect(ask(recordEntry, { id: 'BTC-1' })).rejects.toMatchObject({ code: 'not_found' })
    expect(recordEntry.params.parse({ id: 'btc-1767614400' })).toEqual({ id: 'BTC-1767614400' })
    for (const id of ['DOGE-1767614400', 'BTC-', 'BTC-1e9', '../x'])
      expect(recordEntry.params.safeParse({ id }).success, id).toBe(false)
  })
})

describe('/record/proof/{id}', () => {
  test('proves every leaf against the present and earlier trees', async () => {
    const { ask, world } = await worldOf(12)
    const size = world.rows.leaves.length
    for (const tree_size of [undefined, size - 1, size - 7]) {
      const proof = await ask(recordProof, { id: `ETH-${FIRST_S}`, ...(tree_size && { tree_size }) })
      const { proofs, root_hash } = proof as unknown as {
        proofs: { leaf_index: number; path: string[] }[]
        root_hash: string
      }
      expect(proofs).toHaveLength(2)
      for (const { leaf_index, path } of proofs) {
        const leaf = JSON.parse(world.rows.leaves[leaf_index] ?? '') as Json
        expect(
          climb(hashLeaf(canonicalJson(leaf)).toString('hex'), leaf_index, tree_size ?? size, path),
        ).toBe(root_hash)
        expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)) + 1)
      }
    }
  })

  test('proves that the record was only added to', async () => {
    const { ask, world } = await worldOf(12)
    const size = world.rows.leaves.length
    for (let first = 1; first < size; first++) {
      const { consistency } = await ask(recordProof, { id: `ETH-${FIRST_S}`, first })
      const { first_root, second_root, path } = consistency as unknown as Proof
      expect(extend(first, size, first_root, path)).toEqual([first_root, second_root])
    }
    const { consistency } = await ask(recordProof, { id: `ETH-${FIRST_S}`, first: 5, second: 9 })
    expect(consistency).toMatchObject({ first: 5, second: 9 })
  })

  test.each([
    [{ tree_size: 9_999 }, 'not_found'],
    [{ tree_size: 1 }, 'not_found'],
    [{ first: 3, second: 9_999 }, 'not_found'],
    [{ first: 9, second: 5 }, 'bad_request'],
    [{ id: 'BTC-1767614100' }, 'not_found'],
  ])('%j is %s', async (params, code) => {
    const { ask } = await worldOf(4)
    await expect(ask(recordProof, { id: `ETH-${FIRST_S}`, ...params })).rejects.toMatchObject({ code })
  })
})

test('all of them pass the checks of the catalog', () => {
  expect(createCatalog([recordGroup]).products).toHaveLength(5)
})
