import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { predictionGroup } from '../../src/products/prediction-markets/group.ts'
import { serveGroup } from '../../src/testing/http/serve-groups.ts'
import { predictionServices } from '../../src/testing/products/hand-made-prediction.ts'

export const START_S = 1_767_614_400
/** A second and a half into a window. */
export const NOW_MS = START_S * 1000 + 1_500
export const DEMO_CALLS = 1_000_000

/** The products over HTTP behind the real gate, on services that a test replaces in part. */
export async function openPredmkt() {
  const clock = createManualClock(NOW_MS)
  const made = predictionServices(clock)
  const services = { ...made }
  const served = await serveGroup(predictionGroup, services, { clock, demoCalls: DEMO_CALLS })
  let left = DEMO_CALLS
  /** What came back, and whether it was charged for. */
  const ask = async (target: string) => {
    const { status, headers, body } = await served.ask('GET', target)
    const json = JSON.parse(Buffer.from(body, 'latin1').toString('utf8'))
    const remaining = headers['x-demo-calls-remaining']
    if (status === 200 && remaining !== undefined) {
      // One call for each 200 and none for anything else, since the last 200.
      if (Number(remaining) !== left - 1) throw new Error(`${left - Number(remaining)} calls were charged`)
      left--
    }
    return { status, json, retryAfterS: Number(headers['retry-after']) }
  }
  const reset = () => {
    Object.assign(services, made)
  }
  return { clock, services, served, ask, reset, close: served.close }
}
export type Predmkt = Awaited<ReturnType<typeof openPredmkt>>
