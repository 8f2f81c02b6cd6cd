import { sleep, systemClock } from '../../src/core/time/clock.ts'
import { type ProcessInput, type ProcessLife, startProcess } from '../../src/testing/process-life.ts'

/** An end that nobody here asked for. */
export type Crash = { atMs: number; name: string; how: string; wasReady: boolean }

/** One place in the fleet: a process, and a supervisor that starts it again whenever it ends. */
export type Member = {
  name: string
  url: string
  /** Of the life that is under way, or of the last one. */
  pid(): number
  crashes: readonly Crash[]
  /** Undefined: nobody answers. */
  probe(path: '/livez' | '/readyz'): Promise<number | undefined>
  /** As a power cut does; the next life begins at once. */
  kill(): Promise<void>
  /** As a deployment does: told to stop, and started again when it has. Resolves when it has stopped. */
  restart(): Promise<void>
  /** For good. */
  end(): Promise<void>
}
export type MemberInput = ProcessInput & { name: string; url: string }

/** As systemd does it by default. */
const START_AGAIN_AFTER_MS = 100
const PROBE_WITHIN_MS = 2_000
const STOPS_WITHIN_MS = 50_000

export function startMember({ name, url, ...input }: MemberInput): Member {
  const crashes: Crash[] = []
  let isOver = false
  let wasReady = false
  let life: ProcessLife
  const supervise = async () => {
    while (!isOver) {
      life = startProcess(input)
      wasReady = false
      const { how, isWanted } = await life.gone
      if (!isWanted && !isOver) crashes.push({ atMs: Date.now(), name, how, wasReady })
      await sleep(systemClock, START_AGAIN_AFTER_MS)
    }
  }
  const supervised = supervise()
  return {
    name,
    url,
    crashes,
    pid: () => life.pid,
    async probe(path) {
      const status = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(PROBE_WITHIN_MS) })
        .then(async (reply) => {
          await reply.text()
          return reply.status
        })
        .catch(() => undefined)
      if (path === '/readyz' && status === 200) wasReady = true
      return status
    },
    kill: () => life.kill('SIGKILL'),
    restart: () => life.kill('SIGTERM'),
    async end() {
      isOver = true
      const late = setTimeout(() => void life.kill('SIGKILL'), STOPS_WITHIN_MS)
      if (!life.isGone()) await life.kill('SIGTERM')
      clearTimeout(late)
      await supervised
    },
  }
}
