import { startLoopbackServer } from '../../../sandbox/loopback-server.ts'
import { askOnce } from '../ask-once.ts'
import { type Check, failure, ok } from '../check.ts'

const NEXT =
  'allow programs of this machine to listen on 127.0.0.1 and to connect to it: look at firewall and container'

/** The simulated world of the service talks over free ports of 127.0.0.1. */
export function loopbackCheck(): Check {
  return {
    name: 'loopback',
    group: 'play',
    advice: NEXT,
    async run(signal) {
      const server = await startLoopbackServer({ answer: () => ({ status: 200, body: '{}' }) })
      try {
        const { status } = await askOnce(server.url, signal)
        return status === 200
          ? ok('a server on a free port of 127.0.0.1 answers')
          : failure(
              `a server of ours on 127.0.0.1 seems to answer ${status}: something stands in between`,
              NEXT,
            )
      } finally {
        await server.close()
      }
    },
  }
}
