import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type GateCode, type GateParts, PART_FILES, prepare } from '../gate-code.ts'

/** One change of one file: the text must stand there exactly once. */
export type Patch = { file: string; from: string; to: string }

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url))
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
/** All that the gate imports when it runs; the rest are types, which are gone by then. */
const FOLDERS = ['core', 'catalog', 'ledger', 'payments', 'testing/ledger', 'upstreams/rules']

/** Copies the real files, plants the bug and loads the copy. A patch that no longer fits is an error, not a pass. */
export async function loadPatched(patches: readonly Patch[]): Promise<GateCode> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-mutant-'))
  try {
    plant(folder, patches)
    const parts = PART_FILES.map((file) => import(pathToFileURL(join(folder, file)).href))
    return await prepare(Object.assign({}, ...(await Promise.all(parts))) as GateParts)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function plant(folder: string, patches: readonly Patch[]): void {
  const filter = (path: string) => !path.endsWith('.test.ts')
  for (const name of FOLDERS) cpSync(join(SOURCE, name), join(folder, name), { recursive: true, filter })
  symlinkSync(PACKAGES, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const patch of patches) {
    const path = join(folder, patch.file)
    writeFileSync(path, patched(readFileSync(path, 'utf8'), patch))
  }
}

/** Whether the bugs can still be planted, without running them. */
export function checkPatches(patches: readonly Patch[]): void {
  for (const patch of patches) patched(readFileSync(join(SOURCE, patch.file), 'utf8'), patch)
}

function patched(text: string, { file, from, to }: Patch): string {
  if (text.split(from).length !== 2) throw new Error(`the patch does not fit ${file} exactly once: ${from}`)
  return text.replace(from, () => to)
}
