import { writeFileSync } from 'node:fs'

/** Loaded into a service with `--import`: on SIGUSR2 it tells what it holds after a garbage collection, in a file. */
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const handles = process
    .getActiveResourcesInfo()
    .filter((kind) => kind !== 'Timeout' && kind !== 'Immediate').length
  writeFileSync(
    `${process.env.TOLLBOOK_DATA_DIR}/../memory-${process.pid}.json`,
    JSON.stringify({ heapUsed, external, handles }),
  )
})
