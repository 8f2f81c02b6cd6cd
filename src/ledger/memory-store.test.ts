import { createMemoryDisk, createMemoryStore } from './memory-store.ts'
import { storeContract } from './test-support/store-contract.ts'

storeContract('memory', () => {
  const disk = createMemoryDisk()
  const open = async () => createMemoryStore(disk)
  return { open, reopen: open }
})
