import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { sampleClaim, sampleOutcome, sampleReply } from './sample-claim.ts'

/** Sells as fast as it can, eight at a time, and prints each step after the ledger has acknowledged it. */
const [file = '', run = ''] = process.argv.slice(2)
const { payments } = openSqliteStore(file)
const say = (key: string, state: string) => process.stdout.write(`${key} ${state}\n`)

async function seller(name: string): Promise<never> {
  for (let n = 0; ; n++) {
    const key = `${run}-${name}-${n}`
    await payments.claim(sampleClaim(key, { id: key }))
    say(key, 'claimed')
    await payments.prepare(key, key, sampleReply({ text: `reply to ${key}` }))
    say(key, 'settling')
    await payments.settle(key, sampleOutcome({ transaction: key }))
    say(key, 'settled')
  }
}

await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(seller))
