import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { choosePort } from '../../src/http/listen.ts'
import { type RedisServer, startRedis } from '../../src/testing/access/redis-server.ts'
import { type PostgresServer, startPostgres } from '../../src/testing/ledger/postgres-server.ts'
import { TOLLBOOK_MAIN } from '../../src/testing/process-life.ts'
import type { Nodes } from '../audit/chain-evidence.ts'
import { type Member, startMember } from './member.ts'
import { until } from './until.ts'

/** The service in several processes, as it is deployed: engines, apis, and what they share. All of it is this fleet's own. */
export type Fleet = {
  /** Logs of every process, and the data directory that they share. */
  dir: string
  postgres: PostgresServer
  redis: RedisServer
  world: Member
  engines: readonly Member[]
  apis: readonly Member[]
  members: readonly Member[]
  /** Every api is ready and one engine leads. */
  untilReady(withinMs?: number): Promise<number>
  /** The engine that leads; undefined while none does. */
  leader(): Promise<Member | undefined>
  /** Where the chains of the world are. */
  nodes(): Promise<Nodes>
  end(): Promise<void>
}
export type FleetInput = {
  engines?: number
  apis?: number
  /** For engines and apis. */
  env?: Record<string, string>
  /** Of Node, for engines and apis. */
  flags?: readonly string[]
}

const HOST = '127.0.0.1'
/** A count that was told is on disk, as `docs/deployment.md` asks for. */
const REDIS_SETTINGS = ['--appendonly', 'yes', '--appendfsync', 'always']
/** Payments name the address that they are for: behind a balancer it is the same everywhere. */
const PUBLIC_ADDRESS = 'http://shop.tollbook.test'
const STARTS_WITHIN_MS = 120_000
const MOST_FAILED_STARTS = 3
/** Written by `tollbook sandbox` once all of it answers. */
const WORLD_FILE = 'sandbox-world.json'
const Wallets = z.object({ evm: z.object({ rpc_url: z.url() }), solana: z.object({ rpc_url: z.url() }) })

export async function startFleet(input: FleetInput = {}): Promise<Fleet> {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-fleet-'))
  const ends: (() => Promise<unknown>)[] = []
  try {
    return await start(input, dir, ends)
  } catch (error) {
    for (const end of ends.reverse()) await end()
    throw error
  }
}

async function start(
  { engines = 2, apis = 2, env = {}, flags = [] }: FleetInput,
  dir: string,
  ends: (() => Promise<unknown>)[],
): Promise<Fleet> {
  const dataDir = join(dir, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis(...REDIS_SETTINGS)])
  ends.push(postgres.end, redis.end)
  const engineUrls = await freeUrls(engines)
  const apiUrls = await freeUrls(apis)
  const common = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOST,
    TOLLBOOK_DATA_DIR: dataDir,
  }
  const launch = (name: string, command: string, url: string, more: Record<string, string>): Member => {
    const member = startMember({
      ...{ name, url, cwd: dir, logFile: join(dir, `${name}.log`) },
      args: [TOLLBOOK_MAIN, command],
      flags: command === 'serve' ? flags : [],
      env: { ...common, ...more },
    })
    ends.push(member.end)
    return member
  }
  const world = launch('world', 'sandbox', '', {})
  await until(
    'the world',
    () => requireStart(world) && existsSync(join(dataDir, WORLD_FILE)),
    STARTS_WITHIN_MS,
  )
  const shared = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    TOLLBOOK_BASE_URL: PUBLIC_ADDRESS,
    TOLLBOOK_TRUSTED_PROXIES: HOST,
    ...env,
  }
  const serve = (role: 'engine' | 'api', more: Record<string, string>) => (url: string, index: number) =>
    launch(`${role}-${index}`, 'serve', url, {
      ...shared,
      ...more,
      TOLLBOOK_ROLE: role,
      PORT: new URL(url).port,
    })
  const engine = serve('engine', {})
  const api = serve('api', { TOLLBOOK_ENGINE_URLS: engineUrls.join() })
  // The first engine makes the ledger and the keys.
  const first = engine(engineUrls[0] ?? '', 1)
  const leads = async () => requireStart(first) && (await first.probe('/readyz')) === 200
  await until('the first engine', leads, STARTS_WITHIN_MS)
  const allEngines = [first, ...engineUrls.slice(1).map((url, index) => engine(url, index + 2))]
  const allApis = apiUrls.map((url, index) => api(url, index + 1))
  const fleet = describe({ dir, postgres, redis, world, engines: allEngines, apis: allApis })
  await fleet.untilReady()
  return fleet
}

/** Who ends again and again will not start. */
function requireStart({ name, crashes }: Member): true {
  if (crashes.length > MOST_FAILED_STARTS)
    throw new Error(`${name} does not start: ${crashes[0]?.how}, see its log`)
  return true
}

type Parts = Pick<Fleet, 'dir' | 'postgres' | 'redis' | 'world' | 'engines' | 'apis'>

function describe(parts: Parts): Fleet {
  const { dir, postgres, redis, world, engines, apis } = parts
  const members = [world, ...engines, ...apis]
  const isReady = async (member: Member) => (await member.probe('/readyz')) === 200
  const leader = async () => {
    const ready = await Promise.all(engines.map(isReady))
    return engines.find((_, index) => ready[index])
  }
  return {
    ...parts,
    members,
    leader,
    untilReady: (withinMs = STARTS_WITHIN_MS) =>
      until(
        'every api and one engine',
        async () => (await leader()) !== undefined && (await Promise.all(apis.map(isReady))).every(Boolean),
        withinMs,
      ),
    async nodes() {
      const { evm, solana } = Wallets.parse(await (await fetch(`${apis[0]?.url}/sandbox/wallets`)).json())
      return { evm: evm.rpc_url, svm: solana.rpc_url }
    },
    async end() {
      await Promise.all([...engines, ...apis].map((member) => member.end()))
      await world.end()
      await Promise.all([postgres.end(), redis.end()])
      rmSync(join(dir, 'data'), { recursive: true, force: true })
    },
  }
}

async function freeUrls(count: number): Promise<string[]> {
  const urls: string[] = []
  while (urls.length < count) {
    const url = `http://${HOST}:${await choosePort(HOST, 0)}`
    if (!urls.includes(url)) urls.push(url)
  }
  return urls
}
