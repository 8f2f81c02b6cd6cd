import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Atomic and durable: the file appears complete and flushed to disk, readable by its owner only. */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.draft`
  try {
    writeDraft(draft, text)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Codes of file systems that have no hard links. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * The same for a file that must not replace one: false where there is one already. Of several processes that try at
 * once one succeeds. Without hard links the last one wins, as with `writePrivateFile`.
 */
export function createPrivateFile(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}.draft`
  try {
    writeDraft(draft, text)
    linkSync(draft, file)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') return false
    if (!NO_LINKS.includes(code)) throw error
    renameSync(draft, file)
    return true
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeDraft(draft: string, text: string): void {
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
