import { once } from 'node:events'
import { createWriteStream, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'

/** Paths by the option that named them. */
type Named = Readonly<Record<string, string | undefined>>

/** Throws where a file to write is a file to read, two are one, or an existing one would be lost. */
export function checkOutputs(outputs: Named, inputs: Named, { force }: { force: boolean }): void {
  const known = new Map<string, string>()
  for (const [option, path] of named(inputs)) known.set(identityOf(path), option)
  for (const [option, path] of named(outputs)) {
    const other = known.get(identityOf(path))
    if (other !== undefined) throw new Error(`${option} and ${other} are one file, ${path}: name another`)
    known.set(identityOf(path), option)
    // Nothing is lost with an empty file, such as `mktemp` makes, or with what is no file: a pipe, a device.
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory()) throw new Error(`${option} ${path} is a folder: name a file in it`)
    if (stats?.isFile() && stats.size > 0 && !force)
      throw new Error(`${path} exists: pass --force to overwrite it, or name another file in ${option}`)
  }
}

const named = (paths: Named): [string, string][] =>
  Object.entries(paths).flatMap(([option, path]) => (path === undefined ? [] : [[option, path]]))

/** The same for every spelling of a path and every link to a file. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true })
  if (stats?.isFile()) return `${stats.dev}:${stats.ino}`
  return targetOf(path)
}

/** Where a write to `path` ends up: links are followed, a rename must not replace one. */
function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const folder = dirname(resolve(path))
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path))
}

export type WriteText = (text: string) => Promise<void>
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
const SIGNAL_EXIT = 128

/**
 * A file for more text than fits into memory, which appears under its name only once `work` is done. What fails or is
 * interrupted leaves nothing behind.
 */
export async function writeWhole<T>(path: string, work: (write: WriteText) => Promise<T>): Promise<T> {
  const isSpecial = statSync(path, { throwIfNoEntry: false })?.isFile() === false
  const target = targetOf(path)
  const draft = isSpecial ? path : `${target}.${process.pid}.draft`
  const discard = () => {
    if (!isSpecial) rmSync(draft, { force: true })
  }
  const stopListening = onSignal(discard)
  try {
    const result = await writeText(draft, work)
    if (!isSpecial) renameSync(draft, target)
    return result
  } catch (error) {
    discard()
    throw error
  } finally {
    stopListening()
  }
}

/** A bad path rejects at once; a full disk makes a write or the end reject. */
async function writeText<T>(path: string, work: (write: WriteText) => Promise<T>): Promise<T> {
  const out = createWriteStream(path)
  await once(out, 'open')
  // Without a listener of its own a failure between two writes would end the process.
  out.on('error', () => {})
  try {
    const result = await work(async (text) => {
      if (out.errored) throw out.errored
      if (!out.write(text)) await once(out, 'drain')
    })
    out.end()
    await finished(out)
    return result
  } finally {
    out.destroy()
  }
}

/** Ends the process as a signal does, after `before`. */
function onSignal(before: () => void): () => void {
  const listeners = Object.entries(SIGNALS).map(([signal, number]) => {
    const end = () => {
      before()
      process.exit(SIGNAL_EXIT + number)
    }
    process.once(signal, end)
    return () => process.off(signal, end)
  })
  return () => {
    for (const remove of listeners) remove()
  }
}
