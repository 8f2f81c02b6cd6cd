import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { RISK_RULES } from '../src/bot/risk/rules.ts'
import { STRATEGIES } from '../src/bot/trading-config.ts'
import { PROVIDERS } from '../src/config/providers.ts'
import { toDecimal } from '../src/core/money.ts'
import { COMMANDS } from '../src/operator/admin/commands.ts'
import { adminGroup } from '../src/operator/admin/group.ts'
import { TradingConfigFields } from '../src/operator/admin/trading/config-fields.ts'
import { tradeGroup } from '../src/operator/trade/group.ts'
import { botGroup } from '../src/products/bot/group.ts'
import { briefGroup } from '../src/products/briefs/group.ts'
import { derivativesGroup } from '../src/products/derivatives/group.ts'
import { diagnosisGroup } from '../src/products/diagnosis/group.ts'
import { directoryGroup } from '../src/products/directory/group.ts'
import { sentimentGroup } from '../src/products/sentiment/group.ts'
import { tokenGroup } from '../src/products/tokens/group.ts'
import { walletGroup } from '../src/products/wallets/group.ts'
import { whaleGroup } from '../src/products/whales/group.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What stands below a heading, up to the next one of any level. */
function sectionOf(page: string, heading: string): string {
  const [, text] = read(page).split(`\n${heading}\n`)
  if (text === undefined) throw new Error(`${page} has no heading ${heading}`)
  return text.split(/^#+ /m)[0] as string
}

/** Everything between backticks in the first column of the tables of a text. */
function codesIn(text: string): string[] {
  const cells = [...text.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
}

/** Sources without their tests. */
const sourcesIn = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map(read)
    .join('\n')

const literals = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, found = '']) => [...found.matchAll(/'(\w+)'/g)].map(([, at]) => at))

const sorted = (codes: Iterable<string | undefined>) => [...new Set(codes)].sort()

describe('the runbook', () => {
  const round = sourcesIn('src/bot/round/*.ts')
  const choosers = [...STRATEGIES, ...literals(round, /chosenBy: ([^,\n}]+)/g)]

  test('has every reason for not buying, and no other', () => {
    const inRound = [
      ...literals(round, /none\(('\w+')\)/g),
      ...literals(round, /reason: ('\w+')/g),
      ...literals(round, /const CAPS = (\[[^\]]+\])/g),
      // Conditions of a strategy.
      ...literals(round, /return ('\w+')\n/g),
      ...literals(round, /\? undefined : ('\w+')/g),
    ]
    expect(inRound).toEqual(expect.arrayContaining(['starting', 'edge', 'kelly', 'no_momentum']))
    expect(sorted(codesIn(sectionOf('docs/runbook.md', '### Why it did not trade')))).toEqual(
      sorted([...RISK_RULES.map(({ name }) => name), ...inRound]),
    )
  })

  test('says of every rule whether it stops purchases by hand', () => {
    const rows = sectionOf('docs/runbook.md', '### Why it did not trade')
    const told = [...rows.matchAll(/^\| `(\w+)` \| (round|all) \|/gm)].map(([, name, stops]) => [name, stops])
    expect(told).toEqual(expect.arrayContaining(RISK_RULES.map(({ name, stops }) => [name, stops])))
  })

  test('has the rules in the order in which they are asked', () => {
    const names = RISK_RULES.map(({ name }) => name)
    const told = codesIn(sectionOf('docs/runbook.md', '### Why it did not trade'))
    expect(told.filter((code) => names.includes(code))).toEqual(names)
  })

  test('names everything that chooses the side of a purchase', () => {
    expect(choosers).toEqual(expect.arrayContaining(['contrarian', 'boss_signal']))
    const text = sectionOf('docs/runbook.md', '### Why it did not trade')
    expect(choosers.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  test('has every obstacle, and no other', () => {
    const bot = sourcesIn('src/bot/**/*.ts')
    const codes = [...literals(bot, /\bcode: ('\w+')/g), ...literals(bot, /\bunknown\(('\w+')/g)]
    expect(codes).toEqual(expect.arrayContaining(['geoblocked', 'geoblock_unknown', 'trading_disabled']))
    expect(sorted(codesIn(sectionOf('docs/runbook.md', '### Obstacles')))).toEqual(sorted(codes))
  })

  test('has every note, and no other', () => {
    const bot = sourcesIn('src/bot/**/*.ts')
    const codes = [
      ...literals(bot, /\bnotes\.set\(('\w+')/g),
      ...literals(bot, /\bnote: ('\w+')/g),
      ...literals(bot, /\bLATE_NOTE = ('\w+')/g),
    ]
    expect(codes).toEqual(expect.arrayContaining(['cash_left', 'redemption_fails', 'reconciling_late']))
    expect(sorted(codesIn(sectionOf('docs/runbook.md', '### Notes')))).toEqual(sorted(codes))
  })

  test('says of every source of intelligence what is missing without it', () => {
    const others = ['binance', 'coinbase', 'polybolt', 'gamma', 'clob', 'poly_data', 'poly_web', 'relayer']
    const sources = Object.keys(PROVIDERS).filter((name) => !others.includes(name))
    const told = codesIn(sectionOf('docs/runbook.md', '## Intelligence'))
    expect(told.filter((code) => !code.startsWith('TOLLBOOK_')).sort()).toEqual(sources.sort())
  })

  test('has every state', () => {
    const [, states = ''] = /state: ((?:'\w+'(?: \| )?)+)/.exec(read('src/bot/bot.ts')) ?? []
    const told = codesIn(sectionOf('docs/runbook.md', '### States'))
    expect(sorted(told)).toEqual(sorted(literals(states, /(.+)/g)))
    expect(told).toContain('running')
  })
})

describe('the API guide', () => {
  const withoutParams = (code: string) => code.replace(/\?.*/, '')

  test('has every endpoint of the operator with its scope, and no other', () => {
    const endpoints = [...tradeGroup.endpoints, ...adminGroup.endpoints].map(
      ({ method, path, access }) =>
        `${method} ${path} ${access.kind === 'operator' ? access.scope : access.kind}`,
    )
    const rows = sectionOf('docs/api.md', '### The endpoints')
    const told = [...rows.matchAll(/^\| `(\w+ [^`]+)` \| (\w+) \|/gm)].map(
      ([, at, scope]) => `${at} ${scope}`,
    )
    expect(sorted(told)).toEqual(sorted(endpoints))
  })

  test('has every path of the track record, and no other', () => {
    const told = codesIn(sectionOf('docs/api.md', '## Track record')).map(withoutParams)
    expect(sorted(told)).toEqual(sorted(botGroup.endpoints.map(({ path }) => path)))
  })

  test.each([
    ['Tokens', tokenGroup],
    ['Diagnosis', diagnosisGroup],
    ['Wallets', walletGroup],
    ['Sentiment', sentimentGroup],
    ['Derivatives', derivativesGroup],
    ['Whales', whaleGroup],
    ['Briefs', briefGroup],
    ['Directory', directoryGroup],
  ] as const)('has every path of %s with its price, and no other', (heading, { endpoints }) => {
    const rows = sectionOf('docs/api.md', `### ${heading}`)
    const told = [...rows.matchAll(/^\| (`[^|]+`) \|[^|]+\| ([\d.]+) USD \|/gm)].map(
      ([, paths, price]) => `${paths} ${Number(price)}`,
    )
    const sold = endpoints.map(({ path, aliases = [], access }) => {
      const paths = [path, ...aliases].map((at) => `\`${at}\``).join(', ')
      return `${paths} ${access.kind === 'paid' ? Number(toDecimal(access.price)) : access.kind}`
    })
    expect(sorted(told)).toEqual(sorted(sold))
  })

  test('has every command and every field of the configuration', () => {
    expect(sorted(codesIn(sectionOf('docs/api.md', '### Commands')))).toEqual(sorted(COMMANDS))
    const { contrarian, ...fields } = TradingConfigFields.shape
    const names = [
      ...Object.keys(fields),
      ...Object.keys(contrarian.shape).map((name) => `contrarian.${name}`),
    ]
    expect(sorted(codesIn(sectionOf('docs/api.md', '### Configuration of the bot')))).toEqual(sorted(names))
  })
})
