import { describe } from 'vitest'
import { freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { storeContract } from '../../testing/ledger/store-contract.ts'
import { openPostgresStore } from './store.ts'

describe.skipIf(isPostgresMissing)('a ledger on PostgreSQL', () => {
  storeContract(
    'PostgreSQL',
    () => {
      const url = freshSchema()
      const open = async () => openPostgresStore(await url)
      return { open, reopen: open }
    },
    { keepsOrder: false },
  )
})
