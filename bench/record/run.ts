/** What the public record costs: adding to the tree, proofs at growing sizes, and reading a whole record at start. */
import { parseArgs } from 'node:util'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { createMerkleTree, hashLeaf } from '../../src/record/log/merkle-tree.ts'
import { createRecordWorld, FIRST_S } from '../../src/testing/record/record-world.ts'
import { describeMachine } from '../harness/machine.ts'
import { parseNumbers } from '../harness/options.ts'
import { say, writeFigures } from '../harness/say.ts'
import { aligned } from '../harness/table.ts'
import { timed } from '../harness/timed.ts'

const USAGE = `usage: npm run bench:record -- [options]

  --leaves 1000000   the largest tree; it is measured at every power of ten from 1,000 on
  --windows 5000     windows of the record that is read at start
  --json FILE        write all figures there
`
const SMALLEST = 1_000
const PROOFS = 2_000
/** Coprime to every size, so that proofs are asked for all over the tree. */
const STRIDE = 7_919

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { leaves: text, windows: text, json: text, help: { type: 'boolean', short: 'h' } },
})
const { leaves, windows } = parseNumbers(
  values,
  { leaves: 1_000_000, windows: 5_000 },
  { leaves: [SMALLEST, 1e8], windows: [1, 1e6] },
)
if (values.help) say(USAGE)
else await bench()

async function bench(): Promise<void> {
  const machine = describeMachine()
  say(`${machine}\n\n`)
  const sizes = growTree()
  const start = await readAtStart()
  writeFigures(values.json, { machine, sizes, start })
}

function growTree() {
  const tree = createMerkleTree()
  const sizes = []
  for (let size = SMALLEST; size <= leaves; size *= 10) {
    const added = size - tree.size
    const appendUs = eachUs(added, () => tree.append(hashLeaf(`{"leaf":${tree.size}}`)))
    let longest = 0
    const inclusionUs = eachUs(PROOFS, (n) => {
      longest = Math.max(longest, tree.inclusion((n * STRIDE) % size, size).length)
    })
    const consistencyUs = eachUs(PROOFS, (n) => void tree.consistency(1 + ((n * STRIDE) % size), size))
    sizes.push({ size, appendUs, inclusionUs, longest, consistencyUs })
  }
  const rows = sizes.map(({ size, appendUs, inclusionUs, longest, consistencyUs }) => [
    String(size),
    appendUs.toFixed(2),
    inclusionUs.toFixed(1),
    String(longest),
    String(Math.ceil(Math.log2(size))),
    consistencyUs.toFixed(1),
  ])
  const headings = [
    'leaves',
    'append us',
    'inclusion us',
    'longest path',
    'log2, rounded up',
    'consistency us',
  ]
  say(aligned([headings, ...rows]))
  const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20)
  say(`memory of the process with ${tree.size} leaves: ${megabytes} MB\n`)
  return sizes
}

async function readAtStart() {
  const world = createRecordWorld()
  await world.keeper.start()
  const keptMs = await wallMs(() => world.windows(windows))
  const nowMs = world.clock.now()
  const again = createRecordWorld({ rows: world.rows, nowMs, clock: createManualClock(nowMs) })
  const readMs = await wallMs(() => again.keeper.start())
  const kept = world.rows.leaves.length
  say(
    `${windows} windows from ${FIRST_S}, ${kept} leaves: kept in ${keptMs.toFixed(0)} ms, read at start in ${readMs.toFixed(0)} ms (${((readMs * 1e6) / kept / 1000).toFixed(1)} s per million)\n`,
  )
  return { windows, leaves: kept, keptMs, readMs }
}

function eachUs(times: number, work: (n: number) => void): number {
  const all = timed(() => {
    for (let n = 0; n < times; n++) work(n)
  })
  return (all.wallMs * 1000) / times
}

async function wallMs(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
