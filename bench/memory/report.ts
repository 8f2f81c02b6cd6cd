import { writeSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

/** Loaded into the service with `--import`: tells its memory on file descriptor 3 whenever it gets SIGUSR2. */
process.on('SIGUSR2', () => {
  const { total_physical_size, used_heap_size, malloced_memory } = getHeapStatistics()
  const figures = { ...process.memoryUsage(), total_physical_size, used_heap_size, malloced_memory }
  writeSync(3, `${JSON.stringify(figures)}\n`)
})
