import { readFileSync } from 'node:fs'
import type { CapturedReply } from './capture.ts'
import type { CaseId } from './cases.ts'

/** A route of the service, as its OpenAPI document lists it. */
export type MirroredRoute = { path: string; isPaid: boolean }
/** The envelope of our 402, which the others are asked to send as well. */
export type Envelope = {
  resource: { url: string; description: string; mimeType: string; serviceName: string; tags: string[] }
  accepts: Requirement[]
  extensions: Record<string, unknown>
}
export type Requirement = {
  scheme: string
  network: `${string}:${string}`
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
}

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
