import { onTestFinished } from 'vitest'
import { createHosts } from '../../app/upstream-hosts.ts'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createDailyBudget } from '../../intel/writer/daily-budget.ts'
import { createWriter } from '../../intel/writer/writer.ts'
import { startLoopbackServer } from '../../sandbox/loopback-server.ts'
import { createLlmServer, type LlmScript } from '../../sandbox/providers/llm/llm.ts'
import { createLlm } from '../../upstreams/llm/client.ts'
import { createKeptLog } from '../kept-log.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

/** The scripted model on loopback, and a writer that asks it through the real client. */
export async function startModelWorld({ callsPerDay = 1_000 }: { callsPerDay?: number } = {}) {
  const clock = createManualClock(START_MS)
  const script: LlmScript = { mode: 'well', isOrder: () => false }
  const server = createLlmServer(() => script, clock.now)
  const asked: { authorization: string | undefined; body: string }[] = []
  const host = await startLoopbackServer({
    answer: (request) => {
      asked.push({ authorization: request.headers.authorization, body: request.body.toString('utf8') })
      return server.rest(request)
    },
  })
  const hosts = createHosts({ clock, log: silentLog, random: () => 0 })
  onTestFinished(async () => {
    hosts.close()
    await host.close()
  })
  const upstream = hosts.open('llm', `${host.url}/v1`, { authorization: 'Bearer test' })
  const counts = new Map<number, number>()
  const log = createKeptLog()
  const newWriter = () =>
    createWriter({
      clock,
      log,
      model: {
        llm: createLlm(upstream, 'test-model'),
        budget: createDailyBudget(clock, async (day) => {
          const used = counts.get(day) ?? 0
          if (used >= callsPerDay) return false
          counts.set(day, used + 1)
          return true
        }),
      },
    })
  return { clock, script, asked, upstream, counts, log, newWriter, writer: newWriter() }
}
