import { createServer } from 'node:net'
import { choosePort } from '../http/listen.ts'

const HOST = '127.0.0.1'

/** The wanted port where nobody has it, else another one; without one the system chooses. Until it is used it is nobody's. */
export async function findFreePort(wanted = 0): Promise<number> {
  try {
    return await tryPort(wanted)
  } catch (error) {
    if (wanted === 0 || !isTaken(error)) throw error
    return choosePort(HOST, 0)
  }
}

function tryPort(port: number): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(port, HOST, () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
