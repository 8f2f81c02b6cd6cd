import pg from 'pg'
import { openLeadingStore } from './leading-store.ts'
import type { PostgresServer } from './postgres-server.ts'

const MODEL = 'model_ledger'

/** Empty ledgers, each in a database of its own: copies of one that is made once, because making one takes far longer. */
export async function openLedgerCopies(server: PostgresServer) {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`CREATE DATABASE ${MODEL}`)
  const model = await openLeadingStore(addressOf(server, MODEL))
  await model.close()
  const copies: string[] = []
  let made = 0
  return {
    /** Its address. */
    async copy(): Promise<string> {
      const name = `copy_${++made}`
      copies.push(name)
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${MODEL}`)
      return addressOf(server, name)
    },
    /** Each takes nine megabytes. */
    async drop() {
      for (const name of copies.splice(0)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
    close: () => client.end(),
  }
}

function addressOf({ url }: PostgresServer, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
