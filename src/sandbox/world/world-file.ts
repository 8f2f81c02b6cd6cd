import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UPSTREAMS, type Upstreams } from '../../config/providers.ts'
import { explainFileFault } from '../../core/file-fault.ts'
import { writePrivateFile } from '../../core/private-file.ts'
import { WORLD_FILE } from '../state-files.ts'

/** Nothing that is simulated is ever asked for elsewhere than on this machine. */
const LoopbackUrl = z.url().refine((url) => new URL(url).hostname === '127.0.0.1', 'must be on 127.0.0.1')
const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

const Money = z.object({
  pay_to: z.object({ evm: EvmAddress.optional(), svm: z.string() }),
  rpc: z.object({ evm: z.array(LoopbackUrl), svm: z.array(LoopbackUrl).min(1) }),
  facilitator_url: LoopbackUrl,
})

const Venues = z.object({
  seed: z.int(),
  upstreams: z
    .object(Object.fromEntries(UPSTREAMS.map(({ name }) => [name, LoopbackUrl])))
    .transform((urls) => urls as Upstreams),
  oracle: z.object({ api_key: z.string(), secret: z.string(), passphrase: z.string() }),
  /** Absent where anvil cannot run. Its owner's key is with the other keys of the directory. */
  prediction: z
    .object({ wallet: EvmAddress, relayer: z.object({ api_key: z.string(), address: EvmAddress }) })
    .optional(),
})

const WorldFile = z.object({
  version: z.literal(1),
  /** New at every start; whoever answers at `world_url` names it. */
  id: z.uuid(),
  pid: z.int().positive(),
  mode: z.enum(['sandbox', 'paper']),
  /** Says who runs, and hands out play money. */
  world_url: LoopbackUrl,
  /** Absent where the chains are somebody else's. */
  money: Money.optional(),
  /** Absent in paper mode, which has real venues. */
  venues: Venues.optional(),
})

/** Where a running sandbox is, for processes that use it. */
export type WorldFacts = z.infer<typeof WorldFile>
export type WorldMoney = z.infer<typeof Money>
export type WorldVenues = z.infer<typeof Venues>

export const worldPath = (dataDir: string): string => join(dataDir, WORLD_FILE)

export function writeWorldFile(dataDir: string, facts: WorldFacts): void {
  writePrivateFile(worldPath(dataDir), JSON.stringify(facts, null, 2))
}

export function removeWorldFile(dataDir: string): void {
  rmSync(worldPath(dataDir), { force: true })
}

/** Undefined where there is none. Whether it still runs is another question. */
export function findWorldFile(dataDir: string): WorldFacts | undefined {
  const file = worldPath(dataDir)
  if (!existsSync(file)) return undefined
  try {
    return WorldFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw (
      explainFileFault(file, cause) ??
      new Error(`${file} is damaged or of another release: stop ./tollbook sandbox and start it again`, {
        cause,
      })
    )
  }
}
