/** What the public record costs: adding to the tree, proofs at growing sizes, and reading a whole record at start. */
import { createManualClock } from '../../src/core/manual-clock.ts'
import { createMerkleTree, hashLeaf } from '../../src/record/log/merkle-tree.ts'
import { createRecordWorld, FIRST_S } from '../../src/testing/record/record-world.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const PROOFS = 2_000
const START_WINDOWS = 5_000

const tree = createMerkleTree()
const rows: Record<string, string | number>[] = []
for (const size of SIZES) {
  const added = size - tree.size
  const appendUs = timeUs(added, () => tree.append(hashLeaf(`{"leaf":${tree.size}}`)))
  let longest = 0
  const inclusionUs = timeUs(PROOFS, (n) => {
    longest = Math.max(longest, tree.inclusion((n * 7_919) % size, size).length)
  })
  const consistencyUs = timeUs(PROOFS, (n) => void tree.consistency(1 + ((n * 7_919) % size), size))
  rows.push({
    leaves: size,
    'append µs': appendUs.toFixed(2),
    'inclusion µs': inclusionUs.toFixed(1),
    'longest path': longest,
    'log2, rounded up': Math.ceil(Math.log2(size)),
    'consistency µs': consistencyUs.toFixed(1),
  })
}
console.table(rows)
console.log(
  `memory of the process with ${tree.size} leaves: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`,
)

const world = createRecordWorld()
await world.keeper.start()
const madeMs = await timeMs(() => world.windows(START_WINDOWS))
const nowMs = world.clock.now()
const again = createRecordWorld({ rows: world.rows, nowMs, clock: createManualClock(nowMs) })
const readMs = await timeMs(() => again.keeper.start())
const leaves = world.rows.leaves.length
console.log(
  `${START_WINDOWS} windows from ${FIRST_S}, ${leaves} leaves: kept in ${madeMs.toFixed(0)} ms, read at start in ${readMs.toFixed(0)} ms (${((readMs * 1e6) / leaves / 1000).toFixed(1)} s per million)`,
)

function timeUs(times: number, work: (n: number) => void): number {
  const startedMs = performance.now()
  for (let n = 0; n < times; n++) work(n)
  return ((performance.now() - startedMs) * 1000) / times
}

async function timeMs(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
