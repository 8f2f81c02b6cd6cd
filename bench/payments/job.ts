import { readFileSync } from 'node:fs'
import type { Envelope, MirroredRoute } from '../harness/offer.ts'

export const FACILITATORS = ['instant', 'anvil'] as const
export type FacilitatorKind = (typeof FACILITATORS)[number]

/** The settings of a server, in a file that is its only argument. */
export type ServerJob = {
  facilitator: FacilitatorKind
  /** For its keys, its ledger and its chain. */
  dir: string
  /** Where it writes how it can be asked about its facilitator. */
  controlFile: string
}
/** What those compared with ours need to know of it. */
export type PeerJob = ServerJob & { envelope: Envelope; routes: readonly MirroredRoute[]; body: string }

/** What is bought, everywhere. */
export const BOUGHT_PATH = '/price/BTC'

export function readServerJob<Job extends ServerJob = ServerJob>(): Job {
  return JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as Job
}
