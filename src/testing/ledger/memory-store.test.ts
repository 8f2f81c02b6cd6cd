import { createMemoryDisk, createMemoryStore } from './memory-store.ts'
import { storeContract } from './store-contract.ts'

storeContract('memory', () => {
  const disk = createMemoryDisk()
  const open = async () => createMemoryStore(disk)
  return { open, reopen: open }
})
