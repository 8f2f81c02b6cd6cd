import type { Config } from '../../../config/config.ts'
import { describeError } from '../../../core/describe-error.ts'
import { createPolyWeb } from '../../../upstreams/polymarket/web/client.ts'
import { askerOf } from '../ask-once.ts'
import { type Check, failure, ok, warning } from '../check.ts'

const MOVE = 'run the service where Polymarket takes orders; never hide where it is'

/** Whether Polymarket takes orders from where this machine is. */
export function geoblockCheck({ upstreams, polymarket }: Pick<Config, 'upstreams' | 'polymarket'>): Check {
  const { POLY_WEB } = upstreams
  return {
    name: 'geoblock',
    group: 'prediction',
    advice: `look whether this machine may connect to ${new URL(POLY_WEB).host}, and at TOLLBOOK_UPSTREAM_POLY_WEB_URL: no real order is sent while it is unknown`,
    async run(signal) {
      const asked = createPolyWeb(askerOf(POLY_WEB, signal)).geoblock()
      const { isBlocked, country, region } = await asked.catch((error: unknown) => {
        // Without an account nothing depends on it.
        if (polymarket || signal.aborted) throw error
        return { isBlocked: undefined, country: describeError(error), region: undefined }
      })
      if (isBlocked === undefined)
        return warning(
          `whether orders from here are taken is unknown: ${country}`,
          'it matters for live trading only',
        )
      const where = [country, region].filter(Boolean).join(' ')
      if (!isBlocked) return ok(`orders from ${where} are taken`)
      const what = `Polymarket takes no orders from ${where}, where this machine is`
      return polymarket
        ? failure(what, MOVE)
        : warning(`${what}: live trading is not possible here, all else is`, MOVE)
    },
  }
}
