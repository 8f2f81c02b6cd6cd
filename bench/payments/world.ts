import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture, findHeader } from '../harness/capture.ts'
import type { Fleet, ServerProcess } from '../harness/fleet.ts'
import type { Envelope } from '../harness/offer.ts'
import { readRoutes, requireSameChallenge } from '../harness/offer.ts'
import { BOUGHT_PATH, FACILITATORS, type FacilitatorKind, type PeerJob, type ServerJob } from './job.ts'
import { createSignPayment, type SignPayment } from './payers.ts'
import type { Control } from './servers/open-facilitator.ts'
import { type ServerKind, type ServerName, serverKinds } from './targets.ts'

/** A server that takes payments. `paid` counts those that were presented to it. */
export type Seller = {
  server: ServerProcess
  control: Control
  dir: string
  sign: SignPayment
  count: { paid: number }
}
export type World = { sellers: ReadonlyMap<ServerName, Seller>; routes: number }
export type WorldOptions = {
  fleet: Fleet
  dir: string
  profileDir: string | undefined
  /** Which servers to start. Ours always is, because the others copy its offer. */
  isWanted(name: ServerName): boolean
  /** Gets the process of every chain that was started. */
  chainPids: number[]
}

/** For each facilitator our service first, then the others with what it offers. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const sellers = new Map<ServerName, Seller>()
  let routes = 0
  for (const facilitator of FACILITATORS) {
    const kinds = serverKinds(facilitator).filter((kind) => options.isWanted(`${facilitator}/${kind}`))
    if (kinds.length === 0) continue
    const { ours, peerJob } = await startOurs(options, facilitator)
    sellers.set(`${facilitator}/tollbook`, ours)
    routes = peerJob.routes.length
    for (const kind of kinds) {
      if (kind === 'tollbook') continue
      sellers.set(`${facilitator}/${kind}`, await startPeer(options, facilitator, kind, peerJob))
    }
  }
  return { sellers, routes }
}

async function startOurs(options: WorldOptions, facilitator: FacilitatorKind) {
  const { profileDir } = options
  const profile = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profileDir)}`]
  const started = await start(options, { facilitator, kind: 'tollbook', script: 'tollbook', profile })
  const { body } = await capture(started.server, `${BOUGHT_PATH}?demo=0`)
  const envelope = JSON.parse(body) as Envelope
  const ours = seller(started, envelope)
  const bought = await buyOne(ours)
  const routes = await readRoutes(started.server)
  started.server.pause()
  return { ours, peerJob: { envelope, routes, body: bought } }
}

async function startPeer(
  options: WorldOptions,
  facilitator: FacilitatorKind,
  kind: ServerKind,
  job: Omit<PeerJob, keyof ServerJob>,
): Promise<Seller> {
  const isLean = kind === 'x402-hono-lean'
  const envelope = isLean ? toLean(job.envelope) : job.envelope
  const script = isLean ? 'x402-hono' : kind
  const started = await start(options, { facilitator, kind, script, job: { ...job, envelope } })
  await requireSameChallenge(started.server.name, started.server, { envelope }, BOUGHT_PATH)
  const peer = seller(started, envelope)
  if ((await buyOne(peer)) !== job.body) throw new Error(`${kind} sells something else`)
  started.server.pause()
  return peer
}

/** The least that can be offered: one network, nothing described. Its payments are smaller as well. */
function toLean({ resource, accepts }: Envelope): Envelope {
  return { resource, accepts: accepts.slice(0, 1), extensions: {} }
}

type Start = {
  facilitator: FacilitatorKind
  kind: ServerKind
  script: string
  profile?: readonly string[]
  job?: Omit<PeerJob, keyof ServerJob>
}

async function start(
  { fleet, dir, chainPids }: WorldOptions,
  { facilitator, kind, script, profile = [], job }: Start,
) {
  const name = `${facilitator}-${kind}`
  const own = join(dir, name)
  mkdirSync(own)
  const controlFile = join(own, 'control.json')
  const jobFile = join(own, 'job.json')
  writeFileSync(jobFile, JSON.stringify({ ...job, facilitator, dir: own, controlFile } satisfies ServerJob))
  const file = fileURLToPath(new URL(`./servers/${script}.ts`, import.meta.url))
  const server = await fleet.start({ name, args: [...profile, file, jobFile] })
  const control = JSON.parse(readFileSync(controlFile, 'utf8')) as Control
  if (control.chainPid !== undefined) chainPids.push(control.chainPid)
  return { server, control, dir: own }
}

function seller(started: Omit<Seller, 'sign' | 'count'>, envelope: Envelope): Seller {
  const count = { paid: 0 }
  const sign = createSignPayment(envelope)
  return {
    ...started,
    count,
    sign() {
      count.paid++
      return sign()
    },
  }
}

/** A comparison with a server that does not sell would say nothing. Answers what was bought. */
async function buyOne({ server, sign }: Seller): Promise<string> {
  const reply = await capture(server, BOUGHT_PATH, { 'PAYMENT-SIGNATURE': sign() })
  const header = Buffer.from(findHeader(reply, 'PAYMENT-RESPONSE') ?? '', 'base64').toString()
  const response = JSON.parse(header || '{}') as { success?: boolean; transaction?: string }
  if (reply.status !== 200 || response.success !== true || !response.transaction)
    throw new Error(`${server.name} answered a payment with ${reply.status} ${header} ${reply.body}`)
  return reply.body
}
