import { createServer } from 'node:http'
import type { Config } from '../../../config/config.ts'
import { ownAddress } from '../../../config/own-address.ts'
import { describeError } from '../../../core/describe-error.ts'
import { listen } from '../../../http/listen.ts'
import { type Check, type Finding, failure, ok, warning } from '../check.ts'
import { type AskedConfig, askHealth, type Health } from './service-health.ts'

/** Whether a service runs on the data directory; if so what its `/health` says, else whether its port is free. */
export function serviceCheck(config: AskedConfig & Pick<Config, 'mode'>): Check {
  const { host, port, mode } = config
  const address = ownAddress(host, port)
  return {
    name: 'service',
    group: 'machine',
    advice: `look at the log of the service, and whether HOST and PORT are those that it was started with (${address})`,
    async run(signal) {
      const health = await askHealth(config, signal)
      if (!health) return judgePort(host, port)
      if (health === 'own port') return ok('runs on a port of its own choice, so its /health is not asked')
      if ('refusal' in health) return ok(`runs at ${address} and does not serve: ${health.refusal}`)
      return judgeHealth(health, address, mode)
    },
  }
}

async function judgePort(host: string, port: number): Promise<Finding> {
  const server = createServer()
  try {
    await listen(server, host, port)
    return ok(port === 0 ? 'does not run' : `does not run; ${host}:${port} is free`)
  } catch (error) {
    return failure(`does not run, and cannot be started: ${describeError(error)}`)
  } finally {
    server.close()
  }
}

/** What the operator has to know of a `/health`. */
export function judgeHealth(health: Health, address: string, mode: string): Finding {
  if (health.mode !== mode)
    return failure(
      `a service of ${health.mode} mode answers at ${address}, and this is ${mode} mode`,
      'set PORT to the port of the service on this data directory',
    )
  const ill = health.checks.filter(({ status }) => status !== 'ok' && status !== 'idle')
  const idle = health.checks.flatMap(({ name, status }) => (status === 'idle' ? name : []))
  const unknown = idle.length === 0 ? '' : `; not known, because not asked: ${idle.join(', ')}`
  const what = `runs at ${address}, /health says ${health.status}${unknown}`
  const next = ill.map(
    ({ name, status, detail }) => `${name} is ${status}: ${detail} (docs/runbook.md says what to do)`,
  )
  if (health.status === 'down') return failure(what, ...next)
  return health.status === 'ok' ? ok(what) : warning(what, ...next)
}
