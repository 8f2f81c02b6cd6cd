import type { Config } from '../../../config/config.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../../payments/challenge/terms.ts'
import { findAuth, KEYED_HOST } from '../../../payments/facilitators/auth/find-auth.ts'
import { createHttpMember } from '../../../payments/facilitators/members/http-member.ts'
import type { Fault } from '../../../payments/facilitators/members/member.ts'
import { type Check, failure, ok, warning } from '../check.ts'
import { type AskedConfig, askHealth, type Health } from '../machine/service-health.ts'

const OURS = [
  ['Base', EVM_NETWORK],
  ['Solana', SVM_NETWORK],
] as const

const FAULTS: Readonly<Record<Fault, string>> = {
  unreachable: 'no connection: correct its address, or look whether this machine may connect to it',
  edge: 'it turns us away for now: wait a minute',
  busy: 'it takes no more calls for now: wait a minute; where it stays so, ask its operator for a higher limit',
  unauthorized: `it does not take our key: look at TOLLBOOK_FACILITATOR_KEY_ID and TOLLBOOK_FACILITATOR_KEY (only ${KEYED_HOST} is sent one)`,
  rejected: 'it knows no /supported: correct its address, which ends where /supported begins',
  timeout: 'no answer in time: wait, or put another one before it',
  reset: 'the connection broke: wait, or put another one before it',
  unsettled: 'it moves no payments: wait, or put another one before it',
  server_error: 'it is in trouble itself: wait, or put another one before it',
  unparsable: 'its answer is none of x402: correct its address',
}

/**
 * Who submits payments: that it answers, takes our key and says that it settles on the networks that we sell on.
 * Whether it does can only be tried with a payment, so a service that runs is asked what it found.
 */
export function facilitatorCheck(
  { name, url }: { name: string; url: string },
  config: AskedConfig & Pick<Config, 'facilitatorKey'>,
  clock: Clock,
): Check {
  const { host } = new URL(url)
  return {
    name,
    group: 'money',
    advice: `look at ${host} in TOLLBOOK_FACILITATORS`,
    async run(signal) {
      const member = createHttpMember({ url, auth: findAuth(url, config.facilitatorKey, clock) })
      const startedMs = performance.now()
      const reply = await member.supported(signal)
      if (reply.kind === 'fault')
        return failure(`${host} does not answer as it should (${reply.fault})`, FAULTS[reply.fault])
      const settled = OURS.filter(([, network]) => reply.answer.some((each) => each.network === network))
      const names = settled.map(([name]) => name).join(' and ')
      if (settled.length === 0)
        return failure(`${host} settles on none of our networks`, 'name another one in TOLLBOOK_FACILITATORS')
      const what = `${host} says that it settles on ${names}, answered in ${Math.round(performance.now() - startedMs)} ms`
      const found = await findTrouble(host, config, signal)
      if (found)
        return (found.status === 'down' ? failure : warning)(
          `${what}; the service that runs found: ${found.detail}`,
          'wait, or put another one before it; docs/runbook.md says more of `facilitators` in /health',
        )
      return settled.length === OURS.length
        ? ok(what)
        : warning(
            `${what}, and not on the other network`,
            'name one that settles there too in TOLLBOOK_FACILITATORS',
          )
    },
  }
}

/** The service runs one beside the chains that it runs, and only there. */
export const NO_FACILITATOR: Check = {
  name: 'facilitator',
  group: 'money',
  advice: '',
  run: async () =>
    failure(
      'nobody is named who settles payments on the chains that are named: nothing can be sold',
      'name one that settles on them in TOLLBOOK_FACILITATORS',
    ),
}

/** What `/health` of a service that runs says against it; those that are well are not named there. */
async function findTrouble(
  host: string,
  config: AskedConfig,
  signal: AbortSignal,
): Promise<Health['checks'][number] | undefined> {
  // Where it does not answer, the line of the service says so.
  const health = await askHealth(config, signal).catch(() => undefined)
  if (typeof health !== 'object' || 'refusal' in health) return undefined
  return health.checks.find(
    ({ name, status, detail }) => name === 'facilitators' && status !== 'ok' && detail.includes(host),
  )
}
