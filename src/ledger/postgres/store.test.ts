import { afterAll, describe } from 'vitest'
import { openLeadingStore } from '../../testing/ledger/leading-store.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { storeContract } from '../../testing/ledger/store-contract.ts'

afterAll(dropSchemas)

describe.skipIf(isPostgresMissing)('a ledger on PostgreSQL', () => {
  storeContract(
    'PostgreSQL',
    () => {
      const url = freshSchema()
      const open = async () => openLeadingStore(await url)
      return { open, reopen: open }
    },
    { keepsOrder: false, isShared: true },
  )
})
