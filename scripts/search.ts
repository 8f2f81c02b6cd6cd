import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { SEARCH_SIZES, type SearchName, variableOf } from '../src/testing/search-size.ts'

/** The longest take a minute on a quiet machine. */
const LIMIT_MS = 900_000
const names = Object.keys(SEARCH_SIZES) as SearchName[]
const HELP = `Runs the searches of the tests at full size: every test file that has a size in src/testing/search-size.ts.
  --only TEXT   only files whose path contains this
${names.map((name) => `  --${name} N   (${SEARCH_SIZES[name].full})`).join('\n')}`

const number = { type: 'string' } as const
const sizes = Object.fromEntries(names.map((name) => [name, number])) as Record<SearchName, typeof number>
const { values } = parseArgs({
  options: { ...sizes, only: { type: 'string' }, help: { type: 'boolean', default: false } },
})

if (values.help) console.log(HELP)
else await search()

/** What is tried here at the size of every run of the tests is left to them. */
function goesFurther(test: string): boolean {
  const isLarger = (name: SearchName) => process.env[variableOf(name)] !== String(SEARCH_SIZES[name].share)
  return names.some((name) => test.includes(`searchSize('${name}')`) && isLarger(name))
}

async function search(): Promise<void> {
  for (const name of names) process.env[variableOf(name)] = values[name] ?? String(SEARCH_SIZES[name].full)
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter(
    (file) => file.includes(values.only ?? '') && goesFurther(readFileSync(file, 'utf8')),
  )
  if (files.length === 0) throw new Error('no test file has a search size')
  await startVitest('test', files, {
    run: true,
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    // The line that says what was searched, without the frame that vitest puts around it.
    onConsoleLog(text) {
      console.log(text.trimEnd())
      return false
    },
  })
}
