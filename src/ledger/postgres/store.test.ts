import { afterAll, describe } from 'vitest'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { storeContract } from '../../testing/ledger/store-contract.ts'
import { openPostgresStore } from './store.ts'

afterAll(dropSchemas)

describe.skipIf(isPostgresMissing)('a ledger on PostgreSQL', () => {
  storeContract(
    'PostgreSQL',
    () => {
      const url = freshSchema()
      const open = async () => openPostgresStore(await url)
      return { open, reopen: open }
    },
    { keepsOrder: false, isShared: true },
  )
})
