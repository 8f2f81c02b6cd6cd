import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../core/time/clock.ts'
import { choosePort, listen } from '../../../http/listen.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../../payments/challenge/terms.ts'
import { facilitatorCheck } from './facilitator.ts'

const HOST = '127.0.0.1'
const kinds = [EVM_NETWORK, SVM_NETWORK].map((network) => ({ x402Version: 2, scheme: 'exact', network }))

async function serve(answer: object): Promise<number> {
  const port = await choosePort(HOST, 0)
  const server = createServer((_, response) => void response.end(JSON.stringify(answer)))
  await listen(server, HOST, port)
  onTestFinished(() => void server.close())
  return port
}

/** Beside a service whose `/health` says this of its facilitators; `{host}` is the one that is checked. */
async function look(status: string, detail: string) {
  const facilitator = `${HOST}:${await serve({ kinds })}`
  const checks = [{ name: 'facilitators', status, detail: detail.replace('{host}', facilitator) }]
  const port = await serve({ status, mode: 'live', checks })
  const config = { dataDir: '/nowhere', host: HOST, port, role: 'api', facilitatorKey: undefined } as const
  const check = facilitatorCheck({ name: 'facilitator', url: `http://${facilitator}` }, config, systemClock)
  const { state, what, next } = await check.run(AbortSignal.timeout(5_000))
  return { state, what: what.replaceAll(facilitator, 'it').replace(/\d+ ms/, 'n ms'), steps: next.length }
}
const SAYS = 'it says that it settles on Base and Solana, answered in n ms'

test('one that says it settles, and did not in the service that runs, is as bad as /health says', async () => {
  const lacks = '{host} has not settled on base since noon (unsettled)'
  expect(await look('down', `0 of 1 settles: ${lacks}`)).toEqual({
    state: 'failure',
    what: `${SAYS}; the service that runs found: 0 of 1 settles: ${lacks.replace('{host}', 'it')}`,
    steps: 1,
  })
  expect(await look('degraded', `1 of 2 settles, but ${lacks}`)).toMatchObject({ state: 'warning', steps: 1 })
})

test('one of which the service that runs says nothing bad is well', async () => {
  const well = { state: 'ok', what: SAYS, steps: 0 }
  expect(await look('ok', '1 of 1 settles')).toEqual(well)
  expect(await look('degraded', '1 of 2 settles, but pay.example has not settled on base')).toEqual(well)
})
