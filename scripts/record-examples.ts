/**
 * Asks a sandbox of this service for the sample of every endpoint and keeps its replies for the documents. It takes about
 * twelve minutes: predictions and trades are worth showing once their windows have closed. With ids
 * only those are asked for, and with `--at-once` without waiting: for replies that need no closed window.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { EXAMPLES_FOLDER, exampleFile } from '../src/catalog/endpoints/recorded-call.ts'

const args = process.argv.slice(2)
const ids = args.filter((arg) => arg !== '--at-once')
const isWanted = (id: string) => ids.length === 0 || ids.includes(id)

const former = readdirSync(EXAMPLES_FOLDER)
  .filter((name) => isWanted(name.replace(/\.json$/, '')))
  .map((name) => {
    const file = new URL(name, EXAMPLES_FOLDER)
    return { file, text: readFileSync(file, 'utf8') }
  })
const putBack = () => {
  for (const { file, text } of former) writeFileSync(file, text)
}
// A service refuses to start with examples that its schemas no longer match.
for (const { file } of former) rmSync(file)
try {
  const { recordExamples } = await import('../src/testing/examples/record-examples.ts')
  const { calls, faults } = await recordExamples({
    isWanted,
    atOnce: args.length > ids.length,
    say: console.log,
  })
  if (faults.length > 0) putBack()
  for (const [id, call] of calls) writeFileSync(exampleFile(id), `${JSON.stringify(call, null, 2)}\n`)
  for (const fault of faults) console.error(`not recorded: ${fault}`)
  process.exit(faults.length > 0 ? 1 : 0)
} catch (error) {
  putBack()
  throw error
}
