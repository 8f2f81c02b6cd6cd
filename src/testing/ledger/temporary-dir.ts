import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory of the running test's own, gone when the test is. */
export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'ledger-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
