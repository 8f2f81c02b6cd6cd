import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { holdClaims } from '../../src/ledger/held-claims.ts'
import { createFacilitators } from '../../src/payments/facilitators/facilitators.ts'
import { createCollect } from '../../src/payments/gate/collect.ts'
import { createReconcile } from '../../src/payments/gate/reconcile.ts'
import { createSell } from '../../src/payments/gate/sell.ts'
import { createMemoryPaymentBook } from '../../src/testing/ledger/memory-payment-book.ts'

/** The code that is put to the test: the real thing, or a copy with one planted bug. */
export type GateCode = {
  createSell: typeof createSell
  createCollect: typeof createCollect
  createReconcile: typeof createReconcile
  createFacilitators: typeof createFacilitators
  createMemoryPaymentBook: typeof createMemoryPaymentBook
  holdClaims: typeof holdClaims
}

export const realCode: GateCode = {
  createSell,
  createCollect,
  createReconcile,
  createFacilitators,
  createMemoryPaymentBook,
  holdClaims,
}

/** One change of one file: the text must stand there exactly once. */
export type Patch = { file: string; from: string; to: string }

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
/** All that the gate imports when it runs; the rest are types, which are gone by then. */
const FOLDERS = ['core', 'ledger', 'payments', 'testing/ledger']

/** Copies the real files, plants the bug and loads the copy. A patch that no longer fits is an error, not a pass. */
export async function loadPatched(patches: readonly Patch[]): Promise<GateCode> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-mutant-'))
  try {
    plant(folder, patches)
    return await load(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function plant(folder: string, patches: readonly Patch[]): void {
  for (const name of FOLDERS) {
    cpSync(join(SOURCE, name), join(folder, name), { recursive: true })
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const { file, from, to } of patches) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (text.split(from).length !== 2) throw new Error(`the patch does not fit ${file} exactly once: ${from}`)
    writeFileSync(
      join(folder, file),
      text.replace(from, () => to),
    )
  }
}

async function load(folder: string): Promise<GateCode> {
  const part = (file: string) => import(pathToFileURL(join(folder, file)).href)
  const [sell, collect, reconcile, facilitators, book, claims] = await Promise.all([
    part('payments/gate/sell.ts'),
    part('payments/gate/collect.ts'),
    part('payments/gate/reconcile.ts'),
    part('payments/facilitators/facilitators.ts'),
    part('testing/ledger/memory-payment-book.ts'),
    part('ledger/held-claims.ts'),
  ])
  return { ...sell, ...collect, ...reconcile, ...facilitators, ...book, ...claims } as GateCode
}
