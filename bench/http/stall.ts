/** What one connection can do to the others: the wait of a second client, and what the process holds meanwhile. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { keepPastWindows } from '../../src/testing/record/past-windows.ts'
import type { ServerProcess } from '../harness/fleet.ts'
import { parseNumbers } from '../harness/options.ts'
import { say, writeFigures } from '../harness/say.ts'
import { withFleet } from '../harness/with-fleet.ts'
import { startOurs } from './world.ts'

const USAGE = `usage: npm run bench:stall -- [options]

  --pipelined 400   requests that one connection sends in one write
  --deaf 100        connections that never read
  --each 10         requests that each of them sends
  --wait 45         seconds until it is counted how many of them are still there
  --json FILE       write all figures there
`
const WINDOWS = 300
const LARGE = 'GET /record?limit=1000 HTTP/1.1\r\nHost: bench\r\n\r\n'
const SMALL = '/pricing'
const CALM_MS = 15_000
const HELD_AFTER_MS = 5_000

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    ...{ pipelined: text, deaf: text, each: text, wait: text, json: text },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) say(USAGE)
else
  await withFleet(async ({ fleet, dir, machine, pinning }) => {
    const asked = parseNumbers(
      values,
      { pipelined: 400, deaf: 100, each: 10, wait: 45 },
      { pipelined: [1, 100_000], deaf: [1, 10_000], each: [1, 1_000], wait: [1, 3_600] },
    )
    say(`${machine}\n${pinning}\n`)
    await keepPastWindows(join(dir, 'data'), WINDOWS)
    const service = await startOurs({ fleet, dir, profileDir: undefined })
    await pause(CALM_MS)
    const alone = await probeWhile(service, pause(HELD_AFTER_MS))
    say(`nobody else: a second client waits ${told(alone)}\n`)
    const pipelined = await measurePipelined(service, asked.pipelined)
    await pause(HELD_AFTER_MS)
    const deaf = await measureDeaf(service, asked)
    writeFigures(values.json, { machine, asked, alone, pipelined, deaf })
  })

type Probed = { longestMs: number; rssMb: number }

function told({ longestMs, rssMb }: Probed): string {
  return `${longestMs.toFixed(0)} ms at the longest; ${rssMb} MB resident at the most`
}

async function measurePipelined(service: ServerProcess, count: number) {
  const before = rssMbOf(service)
  const socket = open(service)
  let bytes = 0
  let replies = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    replies += chunk.toString('latin1').split('HTTP/1.1 200').length - 1
    if (replies === count && chunk.subarray(-1).toString() === '}') socket.end()
  })
  socket.write(LARGE.repeat(count))
  const probed = await probeWhile(service, once(socket, 'close'))
  say(
    `${count} requests in one write: ${replies} replies, ${(bytes / 2 ** 20).toFixed(0)} MB; a second client waits ${told(probed)} (${before} before)\n`,
  )
  return { replies, bytes, before, ...probed }
}

async function measureDeaf(
  service: ServerProcess,
  { deaf, each, wait }: { deaf: number; each: number; wait: number },
) {
  const before = rssMbOf(service)
  const sockets = Array.from({ length: deaf }, () => {
    const socket = open(service)
    socket.pause()
    socket.write(LARGE.repeat(each))
    return socket
  })
  const probed = await probeWhile(service, pause(HELD_AFTER_MS))
  const heldMb = rssMbOf(service)
  await pause(wait * 1000 - HELD_AFTER_MS)
  const left = establishedTo(service)
  const endMb = rssMbOf(service)
  say(
    `${deaf} connections with ${each} requests each that never read: ${heldMb} MB after ${HELD_AFTER_MS / 1000} s (${before} before), a second client waits ${told(probed)}; after ${wait} s ${left} are still there and ${endMb} MB are held\n`,
  )
  for (const socket of sockets) socket.destroy()
  return { before, heldMb, left, endMb, ...probed }
}

/** A second client asks for a small document, again and again, on a connection of its own each time. */
async function probeWhile(service: ServerProcess, work: Promise<unknown>): Promise<Probed> {
  let isOver = false
  const over = work.then(() => {
    isOver = true
  })
  let longestMs = 0
  let rssMb = 0
  while (!isOver) {
    const startedAt = performance.now()
    await ask(service)
    longestMs = Math.max(longestMs, performance.now() - startedAt)
    rssMb = Math.max(rssMb, rssMbOf(service))
    await pause(5)
  }
  await over
  return { longestMs, rssMb }
}

function ask({ host, port }: ServerProcess): Promise<void> {
  return new Promise((done, fail) => {
    get({ host, port, path: SMALL, agent: false }, (reply) => reply.resume().once('end', done)).once(
      'error',
      fail,
    )
  })
}

function open({ host, port }: ServerProcess): Socket {
  return connect(port, host).on('error', () => {})
}

/** Connections that the service itself still holds, whatever those who never read know of it. */
function establishedTo({ pid, port }: ServerProcess): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'latin1').split('\n').slice(1)
  return rows.filter((row) => {
    const [, local, , state] = row.trim().split(/\s+/)
    return local?.endsWith(suffix) && state === '01'
  }).length
}

function rssMbOf({ pid }: ServerProcess): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}
