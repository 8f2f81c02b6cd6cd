import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type CapturedReply, capture } from '../harness/capture.ts'
import type { Fleet, ServerProcess } from '../harness/fleet.ts'
import { type Envelope, readRoutes, requireSameChallenge } from '../harness/offer.ts'
import { CASES, type CaseId } from './cases.ts'
import type { Job } from './job.ts'
import { caseHeaders, SERVERS, type ServerName } from './targets.ts'

export type World = { servers: ReadonlyMap<ServerName, ServerProcess>; job: Job }
export type WorldOptions = {
  fleet: Fleet
  dir: string
  profileDir: string | undefined
  /** More settings of our service. */
  env?: NodeJS.ProcessEnv
}

/** Starts our service, learns from it what the others have to answer, and starts those. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { fleet, dir } = options
  const ours = await startOurs(options)
  const job = await describeOurs(ours)
  const jobFile = join(dir, 'job.json')
  writeFileSync(jobFile, JSON.stringify(job))
  const servers = new Map<ServerName, ServerProcess>([['tollbook', ours]])
  for (const name of SERVERS) {
    if (name === 'tollbook') continue
    const args = [localPath(`./servers/${name}.ts`), jobFile]
    const server = await fleet.start({ name, args })
    await requireEqual(name, server, job)
    server.pause()
    servers.set(name, server)
  }
  return { servers, job }
}

/** The service as `npm start` has it, with daily limits that a benchmark cannot reach and a ledger of its own. */
export function startOurs({ fleet, dir, profileDir, env = {} }: WorldOptions): Promise<ServerProcess> {
  const profile = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profileDir)}`]
  const isOwn = (name: string) => /^(TOLLBOOK_|OTEL_|DATABASE_URL$|REDIS_URL$|PORT$|HOST$)/.test(name)
  const inherited = Object.entries(process.env).filter(([name]) => !isOwn(name))
  return fleet.start({
    name: 'tollbook',
    args: [...profile, localPath('../../src/cli/main.ts'), 'serve'],
    env: {
      ...Object.fromEntries(inherited),
      PORT: '0',
      TOLLBOOK_MODE: 'sandbox',
      TOLLBOOK_DATA_DIR: join(dir, 'data'),
      TOLLBOOK_DEMO_CALLS_PER_DAY: '1000000000',
      TOLLBOOK_DEMO_TOTAL_PER_DAY: '1000000000',
      TOLLBOOK_LOG_LEVEL: 'info',
      ...env,
    },
  })
}

async function describeOurs(ours: ServerProcess): Promise<Job> {
  const replies: Partial<Record<CaseId, CapturedReply>> = {}
  for (const each of CASES) {
    const headers = replies.document ? caseHeaders(each, replies.document) : {}
    const reply = await capture(ours, each.path, headers)
    if (reply.status !== each.status)
      throw new Error(`${each.path} answered ${reply.status} instead of ${each.status}`)
    replies[each.id] = reply
  }
  const whole = replies as Record<CaseId, CapturedReply>
  return {
    replies: whole,
    routes: await readRoutes(ours),
    envelope: JSON.parse(whole.challenge.body) as Envelope,
  }
}

/** A comparison with a server that answers something else would say nothing. */
async function requireEqual(name: ServerName, server: ServerProcess, job: Job): Promise<void> {
  if (name === 'bare')
    for (const { id } of CASES) {
      const reply = await capture(server, `/${id}`)
      if (!isDeepStrictEqual(reply, job.replies[id])) throw new Error(`bare does not copy ${id}`)
    }
  if (!name.startsWith('x402-')) return
  const challenge = CASES.find(({ id }) => id === 'challenge')
  await requireSameChallenge(name, server, job, challenge?.path ?? '/')
}

const localPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
