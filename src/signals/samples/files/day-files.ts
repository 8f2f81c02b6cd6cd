import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DAY_MS } from '../../../core/time/time.ts'

/** One file for each UTC day with the minutes of all coins; packed once the day is over. */
const NAME = /^samples-1-(\d{4}-\d{2}-\d{2})\.csv(\.gz)?$/
/** Longer than minutes of the day before still arrive. */
const PACK_AFTER_MS = 3_600_000

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

export const historyFolder = (dataDir: string): string => join(dataDir, 'history')

export type DayFile = { path: string; name: string; startMs: number; isPacked: boolean }

export const dayPath = (folder: string, openMs: number): string =>
  join(folder, `samples-1-${new Date(openMs).toISOString().slice(0, 10)}.csv`)

/** Oldest first; of a day that is in both, the packed part was written first. None where there is no folder. */
export async function findDays(folder: string): Promise<DayFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => {
      const [, day, ending] = NAME.exec(name) ?? []
      if (day === undefined) return []
      return [{ path: join(folder, name), name, startMs: Date.parse(day), isPacked: ending !== undefined }]
    })
    .sort((a, b) => a.startMs - b.startMs || Number(b.isPacked) - Number(a.isPacked))
}

export async function readDay({ path, isPacked }: DayFile): Promise<string> {
  const bytes = await readFile(path)
  return (isPacked ? await unpacked(bytes) : bytes).toString('latin1')
}

/**
 * Packs days that are over. A day that was packed before gets a second part. What is cut off in between leaves the
 * lines in both files, and whoever reads them takes each minute once.
 */
export async function packDays(folder: string, nowMs: number): Promise<void> {
  for (const { path, startMs, isPacked } of await findDays(folder)) {
    if (isPacked || startMs + DAY_MS + PACK_AFTER_MS > nowMs) continue
    const target = `${path}.gz`
    const before = await readFile(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0)
      throw error
    })
    const draft = `${target}.draft`
    await writeFile(draft, Buffer.concat([before, await packed(await readFile(path))]), {
      mode: 0o600,
      flush: true,
    })
    await rename(draft, target)
    await rm(path)
  }
}

/** Deletes all but the newest `days` days, today included. */
export async function forgetDays(folder: string, days: number, nowMs: number): Promise<void> {
  const firstMs = nowMs - (nowMs % DAY_MS) - (days - 1) * DAY_MS
  for (const { path, startMs } of await findDays(folder))
    if (startMs < firstMs) await rm(path, { force: true })
}

export async function sizeOfDays(folder: string): Promise<{ days: number; bytes: number }> {
  const files = await findDays(folder)
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size))
  return {
    days: new Set(files.map(({ startMs }) => startMs)).size,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  }
}
