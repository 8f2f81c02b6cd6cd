import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parseNumbers } from '../harness/options.ts'
import { say } from '../harness/say.ts'

const HELP = `Memory of the service in paper mode, fed by the sandbox's venues in another process, under the same load each time.
  --runs 4  --seconds 60  --connections 16  --flags="--max-semi-space-size=16 --heap-growing-percent=50"\n`
/** What a service is asked for: challenges, free calls of large and small replies, documents. */
const PATHS = [
  '/signals',
  '/price/BTC?demo=0',
  '/btc-resolve?history=600',
  '/market-snapshot',
  '/openapi.json',
  '/health',
]
const MB = 1024 * 1024

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    flags: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) say(HELP)
else await main()

async function main(): Promise<void> {
  const limits = { runs: [1, 100], seconds: [1, 3_600], connections: [1, 1_000] } as const
  const { runs, seconds, connections } = parseNumbers(
    values,
    { runs: 4, seconds: 60, connections: 16 },
    limits,
  )
  const flags = (values.flags ?? '--max-semi-space-size=16 --heap-growing-percent=50')
    .split(' ')
    .filter(Boolean)
  say(`flags ${flags.join(' ') || 'none'}; ${seconds} s of load on ${connections} connections\n`)
  say(
    'run  requests  start RSS  end RSS  peak RSS  heap  heap used  external  buffers  (MB)  CPU us/request\n',
  )
  for (let run = 1; run <= runs; run++) say(`${await measure(run, flags, seconds, connections)}\n`)
}

async function measure(run: number, flags: string[], seconds: number, connections: number): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-memory-'))
  const venues = spawn(process.execPath, [new URL('venues.ts', import.meta.url).pathname])
  try {
    const urls = JSON.parse(await firstLine(venues)) as Record<string, string>
    const upstreams = Object.entries(urls).map(([name, url]) => [`TOLLBOOK_UPSTREAM_${name}_URL`, url])
    const env = {
      ...process.env,
      ...Object.fromEntries(upstreams),
      TOLLBOOK_MODE: 'paper',
      TOLLBOOK_DATA_DIR: dir,
      TOLLBOOK_DEMO_CALLS_PER_DAY: '100000000',
      TOLLBOOK_DEMO_TOTAL_PER_DAY: '1000000000',
      PORT: '0',
    }
    const entry = new URL('../../src/cli/main.ts', import.meta.url).pathname
    const report = new URL('report.ts', import.meta.url).href
    const service = spawn(process.execPath, [...flags, '--import', report, entry, 'serve'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    try {
      const url = await readyUrl(service)
      await pause(5_000)
      const before = rssOf(service)
      const cpuBefore = cpuMsOf(service)
      const requests = await load(url, seconds, connections)
      const cpuUs = Math.round(((cpuMsOf(service) - cpuBefore) * 1000) / requests)
      const figures = await askMemory(service)
      const cells = [
        requests,
        before,
        rssOf(service),
        peakOf(service),
        mb(figures.heapTotal),
        mb(figures.heapUsed),
      ]
      return [run, ...cells, mb(figures.external), mb(figures.arrayBuffers), cpuUs]
        .map((cell) => String(cell).padStart(8))
        .join(' ')
    } finally {
      await stop(service)
    }
  } finally {
    await stop(venues)
    rmSync(dir, { recursive: true, force: true })
  }
}

async function load(url: string, seconds: number, connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const untilMs = Date.now() + seconds * 1000
  let count = 0
  const ask = (path: string) =>
    new Promise<void>((resolve, reject) => {
      request(`${url}${path}`, { agent }, (reply) =>
        reply.resume().once('end', resolve).once('error', reject),
      )
        .once('error', reject)
        .end()
    })
  const client = async (start: number) => {
    for (let at = start; Date.now() < untilMs; at++, count++) await ask(PATHS[at % PATHS.length] ?? '/')
  }
  await Promise.all(Array.from({ length: connections }, (_, at) => client(at)))
  agent.destroy()
  return count
}

type Figures = Record<'heapTotal' | 'heapUsed' | 'external' | 'arrayBuffers', number>

async function askMemory(service: ChildProcess): Promise<Figures> {
  const told = service.stdio[3] as NodeJS.ReadableStream
  const said = once(createInterface({ input: told }), 'line')
  service.kill('SIGUSR2')
  return JSON.parse(String((await said)[0])) as Figures
}

async function readyUrl(service: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream })) {
    const url = /^tollbook ready (\S+)/.exec(line)?.[1]
    if (url) {
      service.stdout?.resume()
      return url
    }
  }
  throw new Error('the service ended before it was ready')
}

async function firstLine(child: ChildProcess): Promise<string> {
  return String((await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line'))[0])
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function mb(bytes: number): number {
  return Math.round(bytes / MB)
}

function rssOf(child: ChildProcess): number {
  return statusOf(child, 'VmRSS')
}

function peakOf(child: ChildProcess): number {
  return statusOf(child, 'VmHWM')
}

/** User and system time; a tick is 10 ms. */
function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function statusOf({ pid }: ChildProcess, name: string): number {
  const found = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(found?.[1]) / 1024)
}
