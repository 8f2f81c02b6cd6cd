/** Writes what documents say from the code that decides it; `--check` only tells whether they are stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { renderConfigTable, renderEnvExample } from '../src/config/describe.ts'
import { FAILURE_CODES, statusOf, titleOf } from '../src/core/service-error.ts'

const urlOf = (path: string) => new URL(`../${path}`, import.meta.url)

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function withSection(path: string, name: string, body: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
  const text = readFileSync(urlOf(path), 'utf8')
  if (!pattern.test(text)) throw new Error(`${path} has no section ${name}`)
  return text.replace(pattern, (_, start, end) => `${start}${body}${end}`)
}

const failures = [...FAILURE_CODES]
  .sort((a, b) => statusOf(a) - statusOf(b))
  .map((code) => `| \`${code}\` | ${statusOf(code)} | ${titleOf(code)} |\n`)
const files: [string, string][] = [
  ['.env.example', renderEnvExample()],
  ['docs/configuration.md', renderConfigTable()],
  [
    'docs/api.md',
    withSection(
      'docs/api.md',
      'codes',
      `\n| code | status | meaning |\n|---|---|---|\n${failures.join('')}\n`,
    ),
  ],
]
for (const [path, text] of files) {
  if (!process.argv.includes('--check')) writeFileSync(urlOf(path), text)
  else if (readFileSync(urlOf(path), 'utf8') !== text) {
    console.error(`${path} is stale: run npm run docs`)
    process.exitCode = 1
  }
}
