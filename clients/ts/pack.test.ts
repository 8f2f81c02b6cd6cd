import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type BuyerProject, openBuyerProject } from '../../src/testing/buyer-project.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

/** Starts npm, compilers and other Nodes one after the other, which a busy machine takes minutes for. */
const PATIENCE_MS = 600_000
vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = join(root, 'clients/ts')
const readme = readFileSync(join(here, 'README.md'), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(/```(\w+)\n(.*?)```/gs)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text)
const [fromRegistry = '', fromFile = ''] = blocks('sh')
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))

/** What the types promise, as a program that must compile; a line that is expected to fail must fail. */
const TYPED = `import { createTollbook, type MarketPrice, type RecordCalibration, type TokenScore, TollbookError } from '@tollbook/client'
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>) => {}
const tollbook = createTollbook({ baseUrl: 'http://127.0.0.1:4020', maxPriceUsd: 0.01 })
const coin: string = 'BTC'
const price = await tollbook.get('/price/BTC')
same<typeof price.data, MarketPrice>(true)
const filled = await tollbook.get(\`/price/\${coin}?demo=0\`)
same<typeof filled.data, MarketPrice>(true)
const score = await tollbook.get('/token/0x1/score?max_age=5')
same<typeof score.data, TokenScore>(true)
const plain = await tollbook.get('/record/calibration')
same<typeof plain.data, RecordCalibration>(true)
const either = await tollbook.get(coin === 'BTC' ? '/price/BTC' : '/record/calibration')
same<typeof either.data, MarketPrice | RecordCalibration>(true)
// @ts-expect-error: there is no such address
await tollbook.get('/prices/BTC')
// @ts-expect-error: any text may be no address
await tollbook.get(coin)
// @ts-expect-error: there is no such field
price.data.price_eur
// @ts-expect-error: a price is a number
createTollbook({ baseUrl: '', maxPriceUsd: '0.01' })
export const kindOf = (error: unknown) => (error instanceof TollbookError ? error.kind : undefined)
`

describe('the package, installed from its packed file', () => {
  let world: World
  let project: BuyerProject
  const warnings: string[] = []
  useSharedWorld('usual', async (it) => {
    project = openBuyerProject()
    world = it
    for (const line of fromFile.trim().split('\n')) {
      // The libraries of the wallet are linked instead: nothing is asked of a registry.
      const words = line
        .replace('<tollbook>', root)
        .split(' ')
        .filter((word) => !/^(npm|(@x402\/.*|viem)@.*)$/.test(word))
      warnings.push(...(await project.npm(...words)).warnings)
    }
    project.linkLibraries()
  })
  afterAll(() => {
    project[Symbol.dispose]()
  })

  test('has what it needs and nothing else', () => {
    expect(warnings).toEqual([])
    const installed = join(project.folder, 'node_modules/@tollbook/client')
    const sources = readdirSync(here).filter(
      (name) => /^[\w-]+\.ts$/.test(name) && !name.endsWith('.test.ts'),
    )
    const made = sources.flatMap((name) => [name.replace(/ts$/, 'd.ts'), name.replace(/ts$/, 'js')])
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    expect(readdirSync(join(installed, 'dist')).sort()).toEqual(
      made.filter((name) => name !== 'paths.js').sort(),
    )
    expect([manifest.scripts, manifest.dependencies]).toEqual([undefined, undefined])
  })

  test('is installed from the registry as from the file, and has the versions of the service', () => {
    const file = `./tollbook-client-${manifest.version}.tgz`
    expect(fromFile).toContain(` ${file} `)
    expect(fromFile.split('\n')[1]).toBe(fromRegistry.trim().replace('@tollbook/client', file))
    const service = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect([manifest.version, manifest.license]).toEqual([service.version, service.license])
    for (const [name, range] of Object.entries(manifest.peerDependencies as Record<string, string>)) {
      expect(range.replace('^', ''), name).toBe(service.dependencies[name].replace('^', ''))
      expect(manifest.peerDependenciesMeta[name], name).toEqual({ optional: true })
    }
  })

  test('runs every program of its README', async () => {
    project.write('buy.mjs', blocks('js').join('\n'))
    const lines = (await project.run('buy.mjs', world.url)).trim().split('\n')
    const told = /It prints `(.*)…`/.exec(readme)?.[1] ?? 'nothing is told'
    expect(lines).toEqual([
      expect.stringMatching(/^BTC [\d.]+ USD at \S+Z, paid in transaction 0x[0-9a-f]{64}$/),
      expect.stringContaining(told),
      expect.stringMatching(/^ETH [\d.]+ USD$/),
      'paid once: true',
      expect.stringMatching(/^true failed 404 .*BTC, ETH, SOL, XRP/),
      'premium: not paid for',
    ])
    const languages = [...readme.matchAll(/```(\w+)\n/g)].map(([, language]) => language)
    expect(new Set(languages)).toEqual(new Set(['sh', 'js']))
  })

  test.each([
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])(
    'is typed for modules of %s found by %s, its own declarations checked',
    async (module, moduleResolution) => {
      project.write('typed.ts', TYPED)
      const compilerOptions = {
        ...{ target: 'es2022', lib: ['es2022', 'dom'], types: [], module, moduleResolution },
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
        ...{ skipLibCheck: false, noEmit: true },
      }
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
      const problems = await project.tsc().then(
        () => '',
        (error) => error.stdout,
      )
      expect(problems).toBe('')
    },
  )
})
