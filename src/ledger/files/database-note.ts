import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { flushDirectory } from '../../core/flush.ts'
import { writePrivateFile } from '../../core/private-file.ts'

/** Tells a data directory which database it is served from, so that a start without DATABASE_URL does not begin anew. */
const Note = z.object({ ledger_id: z.string(), name: z.string(), place: z.string().optional() })
/** `place` tells the database from its copies; notes of earlier releases have none. */
export type DatabaseNote = { ledgerId: string; name: string; place?: string | undefined }

export const notePath = (dataDir: string): string => join(dataDir, 'served-from.json')

export function findDatabaseNote(dataDir: string): DatabaseNote | undefined {
  const file = notePath(dataDir)
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  try {
    const { ledger_id, name, place } = Note.parse(JSON.parse(text))
    return { ledgerId: ledger_id, name, place }
  } catch (cause) {
    throw new Error(
      `${file} is damaged, it says which database this directory is served from: remove it once you know that DATABASE_URL is right`,
      { cause },
    )
  }
}

/** Flushed when it returns. */
export function writeDatabaseNote(dataDir: string, { ledgerId, name, place }: DatabaseNote): void {
  writePrivateFile(notePath(dataDir), JSON.stringify({ ledger_id: ledgerId, name, place }))
  flushDirectory(dataDir)
}

export function removeDatabaseNote(dataDir: string): void {
  rmSync(notePath(dataDir), { force: true })
  flushDirectory(dataDir)
}
