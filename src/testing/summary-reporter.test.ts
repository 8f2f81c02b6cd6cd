import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryDir } from './ledger/temporary-dir.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const REPORTER = fileURLToPath(new URL('./summary-reporter.ts', import.meta.url))
const MISSING = fileURLToPath(new URL('./missing.ts', import.meta.url))

/** What a real run over these test files prints. */
function endOfRun(files: Record<string, string>): { status: number | null; lines: string[] } {
  const root = temporaryDir()
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'vitest.config.mjs'), 'export default {}')
  const imports = `import { test } from 'vitest'\nimport { isMissing, lackOf } from ${JSON.stringify(MISSING)}\n`
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(root, `${name}.test.ts`), imports + text)
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--reporter', REPORTER]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  return { status, lines: stdout.trim().split('\n') }
}

test('what was skipped is listed once, with how to get it, however it was skipped', () => {
  const skipAll = `test.skipIf(isMissing('chromium', false))('a', () => {})\n`
  const { status, lines } = endOfRun({
    one: `${skipAll}test('b', () => {})`,
    two: `${skipAll}test('c', ({ skip }) => skip(lackOf('anvil')))\ntest.skip('without a reason', () => {})`,
    three: `test('d', () => {})`,
  })
  expect(status).toBe(0)
  expect(lines).toEqual([
    '2 passed, 0 failed, 4 skipped',
    expect.stringMatching(/^skipped: no Chromium: install it/),
    expect.stringMatching(/^skipped: no anvil that runs here: put one on the PATH/),
    'in one.test.ts (1), two.test.ts (3)',
  ])
})

test('with everything there one line says so', () => {
  const { lines } = endOfRun({ all: `test.skipIf(isMissing('chromium', true))('a', () => {})` })
  expect(lines).toEqual(['1 passed, 0 failed, 0 skipped', 'nothing was skipped'])
})

test('a failure is counted, also of a file that cannot be loaded', () => {
  const { status, lines } = endOfRun({ bad: `test('a', () => { throw new Error('x') })`, broken: 'throw 1' })
  expect(status).toBe(1)
  expect(lines.slice(-2)).toEqual(['0 passed, 2 failed, 0 skipped', 'nothing was skipped'])
})
