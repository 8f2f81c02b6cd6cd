import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

/** Of a range that belongs to nobody. */
const ELSEWHERE = '192.0.2.1'

test('an address that this machine has not is told with what to do', async () => {
  await expect(listen(createServer(), ELSEWHERE, 4099)).rejects.toThrow(
    '192.0.2.1:4099 is no address of this machine: set HOST to one that it has',
  )
})
