/** Writes the generated parts of the documents from the code; `--check` only reports whether they are stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { accountGroup } from '../src/account/group.ts'
import { createCatalog } from '../src/catalog/catalog.ts'
import { offeredBy } from '../src/catalog/group.ts'
import { toJsonSchema } from '../src/catalog/json-schema.ts'
import { renderConfigTable, renderEnvExample } from '../src/config/describe.ts'
import { toDecimal } from '../src/core/money.ts'
import { FAILURE_CODES, statusOf, titleOf } from '../src/core/service-error.ts'
import { REFUSALS } from '../src/payments/gate/refusal.ts'
import { productGroups } from '../src/products/groups.ts'
import { clientPackage } from './client-package.ts'
import { typescriptOf } from './typescript-of.ts'

const urlOf = (path: string) => new URL(`../${path}`, import.meta.url)

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function withSection(text: string, name: string, rows: readonly string[]): string {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!pattern.test(text)) throw new Error(`there is no section ${name}`)
  return text.replace(pattern, (_, start, end) => `${start}\n${rows.join('\n')}\n\n${end}`)
}

const failures = [...FAILURE_CODES]
  .sort((a, b) => statusOf(a) - statusOf(b))
  .map((code) => `| \`${code}\` | ${statusOf(code)} | ${titleOf(code)} |`)
const refusals = Object.entries(REFUSALS).map(([reason, text]) => `| \`${reason}\` | ${text} |`)

function apiGuide(): string {
  const text = readFileSync(urlOf('docs/api.md'), 'utf8')
  const codes = ['| code | status | meaning |', '|---|---|---|', ...failures]
  return withSection(withSection(text, 'codes', codes), 'refusals', [
    '| `error` | meaning |',
    '|---|---|',
    ...refusals,
  ])
}

/** The tools of MCP with their prices and the addresses that sell the same. */
function mcpGuide(): string {
  const { paid } = createCatalog(productGroups)
  const rows = paid.flatMap(({ tool, path, access }) =>
    tool === undefined ? [] : [`| \`${tool}\` | \`${path}\` | ${toDecimal(access.price)} USD |`],
  )
  const text = readFileSync(urlOf('docs/mcp.md'), 'utf8')
  return withSection(text, 'tools', ['| tool | sells the same as | price |', '|---|---|---|', ...rows])
}

const BRACES = /\{\w+\}/g
const covers = (path: string, other: string) => new RegExp(`^${path.replace(BRACES, '.+')}$`).test(other)

const LIVE = { playMoney: false, publicRevenue: true }
/** TypeScript's placeholder for any text. */
const ANY_TEXT = `\${string}`

/** Every GET address with the type of its reply; braces become text that a caller fills in. */
function clientPaths(): string {
  const addresses = createCatalog(
    [...productGroups, accountGroup].map((group) => offeredBy<never>(LIVE, group)),
  ).routes.flatMap(({ method, path, endpoint }) =>
    endpoint.kind === 'product' && method === 'GET'
      ? { path, reply: typescriptOf(toJsonSchema(endpoint.response, 'output')) }
      : [],
  )
  const lines = addresses.flatMap(({ path, reply }) => {
    if (path.includes('{')) {
      // TypeScript wants what a wide pattern gives to hold for the narrower ones and the plain paths within it.
      const within = addresses.filter((other) => covers(path, other.path)).map((other) => other.reply)
      const union = [...new Set([reply, ...within])].join(' | ')
      return `  [path: \`${path.replace(BRACES, ANY_TEXT)}\`]: ${union}`
    }
    return [`  '${path}': ${reply}`, `  [path: \`${path}?\${string}\`]: ${reply}`]
  })
  return `// Made by \`npm run docs\` from the catalog: do not edit.\n\n/** Address → reply. */\nexport type Paths = {\n${lines.join('\n')}\n}\n`
}

const paths = clientPaths()
const files: [string, string][] = [
  ['.env.example', renderEnvExample()],
  ['docs/configuration.md', renderConfigTable()],
  ['docs/api.md', apiGuide()],
  ['docs/mcp.md', mcpGuide()],
  ['clients/ts/paths.ts', paths],
  ...clientPackage(paths),
]
for (const [path, text] of files) {
  if (!process.argv.includes('--check')) writeFileSync(urlOf(path), text)
  else if (!existsSync(urlOf(path)) || readFileSync(urlOf(path), 'utf8') !== text) {
    console.error(`${path} is stale: run npm run docs`)
    process.exitCode = 1
  }
}
