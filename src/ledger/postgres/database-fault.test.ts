import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from './database.ts'

/** A message of the server about the password: its kind, and what belongs to it. */
function authentication(kind: number, rest: string): Buffer {
  const head = Buffer.alloc(9)
  head.write('R')
  head.writeInt32BE(8 + rest.length, 1)
  head.writeInt32BE(kind, 5)
  return Buffer.concat([head, Buffer.from(rest)])
}
const [SASL, SASL_GOES_ON] = [10, 11]

test.each(['tollbook', 'tollbook:'])(
  'a database that asks for a password where there is none says so: %s',
  async (user) => {
    // Whoever runs the tests may have one.
    vi.stubEnv('PGPASSWORD', undefined)
    vi.stubEnv('PGPASSFILE', '/none')
    onTestFinished(() => void vi.unstubAllEnvs())
    const server = createServer((socket: Socket) => {
      socket.once('data', () => {
        socket.write(authentication(SASL, 'SCRAM-SHA-256\0\0'))
        socket.once('data', () => socket.write(authentication(SASL_GOES_ON, 'r=a,s=b,i=4096')))
      })
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const database = openDatabase(`postgres://${user}@127.0.0.1:${port}/tollbook`)
    onTestFinished(() => database.close())
    await expect(database.query('SELECT 1')).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('asks for a password, and its address has none'),
    })
  },
)
