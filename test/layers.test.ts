import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'layers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the project's own rules over a small tree of files and returns what they say. */
function cruise(files: Record<string, string>): { ok: boolean; output: string } {
  rmSync(join(folder, 'src'), { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const command = [join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'), '--config']
  try {
    const output = execFileSync(
      process.execPath,
      [...command, join(root, '.dependency-cruiser.mjs'), 'src'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    return { ok: true, output }
  } catch (error) {
    return { ok: false, output: String((error as { stdout: string }).stdout) }
  }
}

describe('layers', () => {
  test('an import that points back along the list passes', () => {
    const files = {
      'src/core/money.ts': 'export const a = 1\n',
      'src/http/server.ts': "import { a } from '../core/money.ts'\nexport const b = a\n",
    }
    expect(cruise(files)).toMatchObject({ ok: true })
  })

  test('an import that points forward is refused by name', () => {
    const files = {
      'src/core/money.ts': "import { b } from '../http/server.ts'\nexport const a = b\n",
      'src/http/server.ts': 'export const b = 1\n',
    }
    const { ok, output } = cruise(files)
    expect(ok).toBe(false)
    expect(output).toContain('layer-core: src/core/money.ts → src/http/server.ts')
  })

  test('a type-only import that points forward is refused too', () => {
    const files = {
      'src/market/book.ts': "import type { B } from '../payments/gate/gate.ts'\nexport type A = B\n",
      'src/payments/gate/gate.ts': 'export type B = 1\n',
    }
    expect(cruise(files).output).toContain('layer-market')
  })

  test('a file outside every layer is refused', () => {
    expect(cruise({ 'src/helpers/x.ts': "import 'node:fs'\n" }).output).toContain('outside-layers')
  })
})
