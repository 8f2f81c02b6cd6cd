import { recordEntry } from '../../products/record/entry.ts'
import { recordSummary, type Summary } from '../../products/record/summary.ts'
import { FIRST_KEY } from './change-key.ts'
import { createRecordWorld } from './record-world.ts'
import { askOf } from './replies.ts'

export type Key = { id: string; until: string | null }
type Check = { name: string; isTrue: boolean | undefined; words: string }
export type Result = { verdict: string; words: string; checks: Check[] }
type Verify = (text: string, keys: Key[]) => Promise<Result>
// biome-ignore lint/suspicious/noExplicitAny: a forger may change anything
export type Entry = any

export const KEYS: Key[] = [{ id: FIRST_KEY.id, until: null }]

/** The check that browsers run, and entries of a record to run it on. */
export type EntryChecks = {
  verify: Verify
  entries: Entry[]
  check(entry: unknown): Promise<Result>
  /** A copy of one that is revealed. */
  revealed(): Entry
}

export async function openEntryChecks(windows: number): Promise<EntryChecks> {
  // The file that browsers load, by a name that the compiler does not follow into it.
  const file: string = new URL('../../pages/assets/proof/verify-record.js', import.meta.url).href
  const { verifyRecord: verify } = (await import(file)) as { verifyRecord: Verify }
  const entries = await entriesOf(windows)
  return {
    verify,
    entries,
    check: (entry) => verify(JSON.stringify(entry), KEYS),
    revealed: () => structuredClone(entries.find(({ state }) => state === 'revealed')),
  }
}

async function entriesOf(windows: number): Promise<Entry[]> {
  const world = createRecordWorld()
  await world.keeper.start()
  await world.windows(windows)
  const ask = askOf(world)
  const entries: Entry[] = []
  for (let before: number | null | undefined; before !== null; ) {
    const page = (await ask(recordSummary, before === undefined ? {} : { before })) as Pick<
      (typeof Summary)['_output'],
      'entries' | 'older'
    >
    for (const { id } of page.entries) entries.push(await ask(recordEntry, { id }))
    before = page.older
  }
  return entries
}

export const failed = ({ checks }: Result): string[] =>
  checks.filter(({ isTrue }) => isTrue === false).map(({ name }) => name)
