import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { openLeadingStore } from '../../testing/ledger/leading-store.ts'
import { openLedgerCopies } from '../../testing/ledger/ledger-copies.ts'
import { isServerMissing, startPostgres } from '../../testing/ledger/postgres-server.ts'
import { storeContract } from '../../testing/ledger/store-contract.ts'

describe.skipIf(isServerMissing)('a ledger on PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let ledgers: Awaited<ReturnType<typeof openLedgerCopies>>
  beforeAll(async () => {
    server = await startPostgres()
    ledgers = await openLedgerCopies(server)
  })
  // Once their stores are closed.
  afterEach(() => ledgers.drop())
  afterAll(async () => {
    await ledgers.close()
    await server.end()
  })
  storeContract(
    'PostgreSQL',
    () => {
      const url = ledgers.copy()
      const open = async () => openLeadingStore(await url)
      return { open, reopen: open }
    },
    { keepsOrder: false, isShared: true },
  )
})
