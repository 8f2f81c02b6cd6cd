import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { createRecordWorld, FIRST_S } from './record-world.ts'

/** Keeps a record as fast as it can, on a clock of its own, and prints each head after the ledger has it. */
const [file = ''] = process.argv.slice(2)
const { record: book } = openSqliteStore(file)
const last = await book.newestHead()
const append: typeof book.append = async (entry) => {
  await book.append(entry)
  process.stdout.write(`${entry.head.treeSize} ${entry.head.rootHash}\n`)
}
const nowMs = (last?.atMs ?? FIRST_S * 1000 - 60_000) + 1
const world = createRecordWorld({ book: { ...book, append }, nowMs })
await world.keeper.start()
for (let startS = Math.ceil((nowMs + 3_000) / 300_000) * 300; ; startS += 300) await world.windows(1, startS)
