import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { explainFileFault } from '../../core/file-fault.ts'
import { writePrivateFile } from '../../core/private-file.ts'
import { choosePort } from '../../http/listen.ts'
import { makeCredentials } from '../internet.ts'
import { PLACES_FILE } from '../state-files.ts'

const HOST = '127.0.0.1'
const Port = z.int().min(1).max(65_535)

const PlacesFile = z.object({
  ports: z.object({ world: Port, facilitator: Port, evm: Port, svm: Port, internet: Port }),
  oracle: z.object({ apiKey: z.string(), secret: z.string(), passphrase: z.string() }),
  relayerKey: z.string(),
})

/**
 * Where a sandbox that several processes share can be found, and what it lets them in with. Chosen once and kept, so
 * that those processes go on when it is started again.
 */
export type Places = z.infer<typeof PlacesFile>
export type Ports = Places['ports']

/** Those of the last run, else new ones. The ports are below those that systems give to outgoing connections. */
export async function openPlaces(dataDir: string): Promise<Places> {
  const kept = findPlaces(dataDir)
  if (kept) return kept
  const [world, facilitator, evm, svm, internet] = await choosePorts(5)
  const ports = { world, facilitator, evm, svm, internet } as Ports
  const places = { ports, oracle: makeCredentials(), relayerKey: randomUUID() }
  savePlaces(dataDir, places)
  return places
}

export function savePlaces(dataDir: string, places: Places): void {
  writePrivateFile(join(dataDir, PLACES_FILE), JSON.stringify(places, null, 2))
}

function findPlaces(dataDir: string): Places | undefined {
  const file = join(dataDir, PLACES_FILE)
  if (!existsSync(file)) return undefined
  try {
    return PlacesFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw (
      explainFileFault(file, cause) ??
      new Error(
        `${file} is damaged: remove it, start ./tollbook sandbox, and start the processes that use it again`,
        { cause },
      )
    )
  }
}

async function choosePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await choosePort(HOST, 0))
  return [...ports]
}
