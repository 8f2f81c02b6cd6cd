import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkRecord } from '../../src/cli/verify-record/check-record.ts'
import { openSqliteStore } from '../../src/ledger/sqlite/store.ts'
import { killWhileWriting } from '../../src/testing/kill-while-writing.ts'
import { createRecordWorld } from '../../src/testing/record/record-world.ts'
import { askOf, fetchAll } from '../../src/testing/record/replies.ts'
import { searchSize } from '../../src/testing/search-size.ts'

const KILLS = searchSize('kills')
const writer = new URL('../../src/testing/record/writer.ts', import.meta.url)

test(`kill -9 in the middle of keeping loses no head and leaves no flaw, ${KILLS} times`, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'record-kill-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'ledger.sqlite')
  const acknowledged: string[] = []
  for (let n = 0; n < KILLS; n++)
    acknowledged.push(...(await killWhileWriting(writer, [file], 20 + ((n * 37) % 180))))
  const store = openSqliteStore(file)
  onTestFinished(() => store.close())
  const heads = await store.record.heads(0, Number.MAX_SAFE_INTEGER)
  const kept = new Set(heads.map(({ treeSize, rootHash }) => `${treeSize} ${rootHash}`))
  expect(acknowledged.filter((head) => !kept.has(head))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(KILLS)

  const nowMs = (heads.at(-1)?.atMs ?? 0) + 1
  const world = createRecordWorld({ book: store.record, nowMs })
  await world.keeper.start()
  await world.windows(20, Math.ceil((nowMs + 3_000) / 300_000) * 300)
  const { untrue, size } = await checkRecord(await fetchAll(askOf(world)), undefined, world.clock.now())
  console.info(`record kills: ${KILLS} kills, ${acknowledged.length} acknowledged heads, ${size} leaves`)
  expect(untrue).toEqual([])
})
