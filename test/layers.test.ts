import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'layers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A small tree with everything in it that the rules are about; one look at it takes seconds. */
const FILES: Readonly<Record<string, string>> = {
  'src/core/money.ts': 'export const a = 1\n',
  'src/http/server.ts': "import { a } from '../core/money.ts'\nexport const b = a\n",
  'src/core/forward.ts': "import { b } from '../http/server.ts'\nexport const c = b\n",
  'src/market/book.ts': "import type { B } from '../payments/gate/gate.ts'\nexport type A = B\n",
  'src/payments/gate/gate.ts': 'export type B = 1\n',
  'src/helpers/x.ts': "import 'node:fs'\n",
  'src/testing/world.ts': 'export const d = 1\n',
  'src/cli/main.ts': "import { d } from '../testing/world.ts'\nexport const e = d\n",
  'src/cli/verify-record/check.ts':
    "import 'node:fs'\nimport { g } from './proofs.ts'\nimport { a } from '../../core/money.ts'\nexport const h = [g, a]\n",
  'src/cli/verify-record/proofs.ts': 'export const g = 1\n',
  'src/core/money.test.ts': "import { d } from '../testing/world.ts'\nexport const f = d\n",
  'src/ledger/one.ts': "import { two } from './two.ts'\nexport const one = () => two\n",
  'src/ledger/two.ts': "import { one } from './one.ts'\nexport const two = () => one\n",
  'src/catalog/egg.ts': "import type { Hen } from './hen.ts'\nexport type Egg = { of: Hen }\n",
  'src/catalog/hen.ts': "import type { Egg } from './egg.ts'\nexport type Hen = { lays: Egg }\n",
}

/** What the project's own rules say of that tree, one line for each fault. */
let said: string[] = []
beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const tool = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const { status, stdout } = spawnSync(
    process.execPath,
    [tool, '--config', join(root, '.dependency-cruiser.mjs'), 'src'],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(status).toBeGreaterThan(0)
  said = stdout.split('\n').map((line) => line.trim())
})

const about = (file: string) => said.filter((line) => line.includes(file))

test('an import that points back along the list passes', () => {
  expect(said.filter((line) => line.includes('src/http/server.ts → '))).toEqual([])
})

test('an import that points forward is refused by name', () => {
  expect(about('src/core/forward.ts')).toEqual(['error layer-core: src/core/forward.ts → src/http/server.ts'])
})

test('a type-only import that points forward is refused too', () => {
  expect(about('src/market/book.ts')).toEqual([
    'error layer-market: src/market/book.ts → src/payments/gate/gate.ts',
  ])
})

test('a file outside every layer is refused', () => {
  expect(about('src/helpers/x.ts').join()).toContain('outside-layers')
})

test('what runs in production may not import from testing, a test may', () => {
  expect(about('src/testing/world.ts')).toEqual(['error layer-cli: src/cli/main.ts → src/testing/world.ts'])
})

test('two files that import one another are refused, be it only for their types', () => {
  expect(about('src/ledger/').join()).toContain('no-cycle: src/ledger/one.ts')
  expect(about('src/catalog/').join()).toContain('no-cycle: src/catalog/egg.ts')
})

test('the checker of the record imports Node and itself, and nothing that it checks', () => {
  expect(about('src/cli/verify-record/')).toEqual([
    'error checker-alone: src/cli/verify-record/check.ts → src/core/money.ts',
  ])
})
