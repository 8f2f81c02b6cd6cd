/** Writes the generated parts of the documents from the code; `--check` only reports whether they are stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createCatalog } from '../src/catalog/catalog.ts'
import { renderConfigTable, renderEnvExample } from '../src/config/describe.ts'
import { toDecimal } from '../src/core/money.ts'
import { FAILURE_CODES, statusOf, titleOf } from '../src/core/service-error.ts'
import { REFUSALS } from '../src/payments/gate/refusal.ts'
import { productGroups } from '../src/products/groups.ts'
import { clientPackage } from './client-package.ts'
import { clientPaths } from './client-paths.ts'

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

const paths = clientPaths()
const files: [string, string][] = [
  ['.env.example', renderEnvExample()],
  ['docs/configuration.md', renderConfigTable()],
  ['docs/api.md', apiGuide()],
  ['docs/mcp.md', mcpGuide()],
  ['clients/ts/paths.ts', paths],
  ['clients/ts/LICENSE', readFileSync(urlOf('LICENSE'), 'utf8')],
  ...clientPackage(paths),
]
for (const [path, text] of files) {
  if (!process.argv.includes('--check')) writeFileSync(urlOf(path), text)
  else if (!existsSync(urlOf(path)) || readFileSync(urlOf(path), 'utf8') !== text) {
    console.error(`${path} is stale: run npm run docs`)
    process.exitCode = 1
  }
}
