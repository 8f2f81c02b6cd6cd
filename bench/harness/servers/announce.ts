import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** As our own server has it, so that the bytes of `Keep-Alive` are equal too. */
export const KEEP_ALIVE_MS = 65_000

/** Listens on a free port and prints it for the benchmark. */
export function announce(server: Server): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`ready http://127.0.0.1:${port} \n`)
  })
}
