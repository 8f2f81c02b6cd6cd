import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { SDK } from '../src/discovery/about.ts'
import { choosePort } from '../src/http/listen.ts'
import { type BuyerProject, openBuyerProject } from '../src/testing/buyer-project.ts'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const example = readFileSync(join(root, 'examples/buy.ts'), 'utf8')
const clientReadme = readFileSync(join(root, 'clients/ts/README.md'), 'utf8')
const plainExample = /```js\n(.*?)```/s.exec(clientReadme)?.[1] ?? ''
const BOUGHT = /^BTC [\d.]+ USD at \S+Z, paid in transaction 0x[0-9a-f]{64}$/m

describe('the example of the README', () => {
  let world: World
  useSharedWorld('without free calls', (it) => {
    world = it
  })

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
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`/clients/ts ${tested.join(' ')}`)
    for (const from of ['npm install @tollbook/client', '.tgz'])
      expect(clientReadme).toContain(`${from} ${tested.join(' ')}\n`)
    expect(SDK.node).toBe(`npm install ${tested.join(' ')}`)
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
    using project = openBuyerProject()
    writeExample(project)
    await project.npm('install', ...options, join(root, 'clients/ts'))
    project.linkLibraries()
    await project.tsc(...compiling)
    expect(await project.run('out/buy.js', world.url)).toMatch(BOUGHT)
    project.write('buy.mjs', plainExample)
    expect(await project.run('buy.mjs', world.url)).toMatch(BOUGHT)
  })
})

/** The example as a program of another project. */
function writeExample({ write }: BuyerProject): void {
  const importing = example.replace(/'\.\.\/clients\/ts\/tollbook\.ts'.*/, "'@tollbook/client'")
  expect(importing).not.toBe(example)
  write('buy.ts', importing)
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    outDir: 'out',
    types: ['node'],
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['buy.ts'] }))
}
