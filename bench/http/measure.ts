import { capture } from '../harness/capture.ts'
import type { ServerProcess } from '../harness/fleet.ts'
import { openLoad } from '../harness/load.ts'
import { awake, idleShare, type Measurement, measureLoad, WARM_UP_MS } from '../harness/measure.ts'
import { type Asked, requestBytes } from './targets.ts'

export type MeasureOptions = { connections: number; ms: number }

/** Wakes the server, loads it, and stops it again so that it takes nothing from the next one. */
export async function measure(
  server: ServerProcess,
  target: Asked,
  options: MeasureOptions,
): Promise<Measurement> {
  return awake(server, async () => {
    await settled(server, target)
    return measureAwake(server, target, options)
  })
}

async function measureAwake(
  server: ServerProcess,
  target: Asked,
  { connections, ms }: MeasureOptions,
): Promise<Measurement> {
  const { host, port } = server
  const request = requestBytes(target, server)
  const load = await openLoad({
    host,
    port,
    nextRequest: () => request,
    status: target.status,
    connections,
  })
  try {
    await load.count(WARM_UP_MS)
    return await measureLoad(server, load, ms)
  } finally {
    load.close()
  }
}

const SETTLE_STEP_MS = 150
const SETTLE_WITHIN_MS = 15_000
const CALM_SHARE = 0.25

/** Our market catches up with the time it was stopped; measured is what comes after that. */
async function settled(server: ServerProcess, { path, headers, status, name }: Asked): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_WITHIN_MS
  for (;;) {
    const reply = await capture(server, path, headers)
    const share = (await idleShare(server, SETTLE_STEP_MS)) ?? 0
    if (reply.status === status && share <= CALM_SHARE) return
    if (performance.now() > giveUpAt)
      throw new Error(
        `${name} still answers ${reply.status} at ${Math.round(share * 100)} % CPU after a pause`,
      )
  }
}
