import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whole or not at all, and readable by nobody but us. */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
}
