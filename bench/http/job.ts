import { readFileSync } from 'node:fs'
import type { CapturedReply } from '../harness/capture.ts'
import type { Envelope, MirroredRoute } from '../harness/offer.ts'
import type { CaseId } from './cases.ts'

/** What the servers compared with ours need to know of it; handed over in a file. */
export type Job = {
  replies: Record<CaseId, CapturedReply>
  routes: readonly MirroredRoute[]
  envelope: Envelope
}

/** The servers are started with the job's file as their only argument. */
export function readJob(): Job {
  return JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as Job
}
