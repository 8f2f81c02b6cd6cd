import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:http'

/** A free port where none was asked for: the address is part of the documents that are made before listening. */
export async function choosePort(host: string, port: number): Promise<number> {
  if (port !== 0) return port
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const free = await tryPort(host, randomInt(OWN_PORTS.from, OWN_PORTS.to))
    if (free !== undefined) return free
  }
  throw new Error(`no free port was found on ${host}: set PORT`)
}

/** Below the ports that systems hand out by themselves: until we listen, nobody else is given the one that we chose. */
const OWN_PORTS = { from: 12_000, to: 32_000 }
const PORT_TRIES = 100

async function tryPort(host: string, port: number): Promise<number | undefined> {
  const probe = createServer()
  try {
    return await listen(probe, host, port)
  } catch (error) {
    // Taken is the only trouble that another port would not have.
    if ((error as NodeJS.ErrnoException).code === undefined) return undefined
    throw error
  } finally {
    await new Promise((resolve) => probe.close(resolve))
  }
}

const LISTEN_ADVICE: Record<string, string> = {
  EADDRINUSE: 'is taken: stop the other process or set PORT',
  EADDRNOTAVAIL: 'is no address of this machine: set HOST to one that it has',
  EACCES: 'is not allowed to this user: set PORT to one above 1023',
}

/** Resolves to the bound port, or rejects with what to do when it is taken. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      const advice = LISTEN_ADVICE[error.code ?? '']
      reject(advice ? new Error(`${host}:${port} ${advice}`) : error)
    }
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve()
    })
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}
