import { execFile } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choosePort } from '../src/http/server.ts'
import { isMissing } from '../src/testing/missing.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const example = readFileSync(join(root, 'examples/buy.ts'), 'utf8')
const clientReadme = readFileSync(join(root, 'clients/ts/README.md'), 'utf8')
const plainExample = /```js\n(.*?)```/s.exec(clientReadme)?.[1] ?? ''
const BOUGHT = /^BTC [\d.]+ USD at \S+Z, paid in transaction 0x[0-9a-f]{64}$/m

/** The machine's own Node, which need not be the one that the project brings. */
const ownNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(isExecutable)

describe('the example of the README', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '0' })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('is the file that npm runs, and buys', async () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``)
    const { stdout } = await run('npm', ['run', '--silent', 'example', '--', world.url], { cwd: root })
    expect(stdout).toMatch(BOUGHT)
  })

  test('is installed with the versions that are tested here', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const tested = ['@x402/fetch', '@x402/evm', 'viem'].map(
      (name) => `${name}@${dependencies[name].replace(/^\^(\d+\.\d+)\.\d+$/, '$1')}`,
    )
    for (const readme of [readFileSync(join(root, 'README.md'), 'utf8'), clientReadme])
      expect(readme).toContain(`/clients/ts ${tested.join(' ')}`)
  })

  test('finds the service by PORT of .env, and says what to do where nothing answers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'buyer-'))
    const port = await choosePort('127.0.0.1', 0)
    writeFileSync(join(folder, '.env'), `PORT=${port}\n`)
    const { example: script } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
    const words = script.replace('examples/', join(root, 'examples/')).split(' ').slice(1)
    const { PORT: _, ...env } = process.env
    const failed = await run(process.execPath, words, { cwd: folder, env }).catch((error) => error)
    rmSync(folder, { recursive: true, force: true })
    const message = `nothing answers at http://127.0.0.1:${port}: start it with npm start, or pass its address\n`
    expect([failed.code, failed.stderr]).toEqual([1, message])
  })

  test.each([
    // Types are checked once: as they are installed from a registry.
    ['linked', [], ['--noCheck']],
    ['copied', ['--install-links'], []],
  ])('buys in another project where the client is %s from its folder', async (_how, options, compiling) => {
    const project = openProject()
    try {
      await run(
        'npm',
        ['install', '--offline', '--no-audit', '--no-fund', ...options, join(root, 'clients/ts')],
        {
          cwd: project,
        },
      )
      linkLibraries(project)
      await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', ...compiling], {
        cwd: project,
      })
      isMissing('ownNode', ownNode !== undefined)
      const { stdout } = await run(ownNode ?? process.execPath, ['out/buy.js', world.url], { cwd: project })
      expect(stdout).toMatch(BOUGHT)
      writeFileSync(join(project, 'buy.mjs'), plainExample)
      const plain = await run(ownNode ?? process.execPath, ['buy.mjs', world.url], { cwd: project })
      expect(plain.stdout).toMatch(BOUGHT)
    } finally {
      rmSync(project, { recursive: true, force: true })
    }
  })
})

/** A project as a buyer has it, with the example in it. */
function openProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'buyer-'))
  const importing = example.replace(/'\.\.\/clients\/ts\/tollbook\.ts'.*/, "'@tollbook/client'")
  expect(importing).not.toBe(example)
  writeFileSync(join(project, 'buy.ts'), importing)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    outDir: 'out',
    types: ['node'],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['buy.ts'] }))
  return project
}

/** The stock libraries, as the registry would have given them. */
function linkLibraries(project: string): void {
  for (const name of ['@x402', 'viem', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
