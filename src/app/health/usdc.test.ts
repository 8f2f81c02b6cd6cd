import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import { createPayable } from '../../payments/payable/payable.ts'
import { usdcCheck, usdcDependencies } from './usdc.ts'
import { createWatch } from './watch.ts'

const WHY = 'USDC is paused there'

function start() {
  const clock = createManualClock(0)
  const closed = new Set<string>()
  const tokenOn = (network: string) => ({
    findClosure: async () => (closed.has(network) ? WHY : undefined),
    findPayerProblem: async () => undefined,
  })
  const networks = [EVM_NETWORK, SVM_NETWORK]
  const payable = createPayable({ clock, tokens: new Map(networks.map((each) => [each, tokenOn(each)])) })
  const look = async () => {
    clock.advance(1_000)
    for (const network of networks) await payable.look(network)
  }
  return { clock, closed, payable, look, check: () => usdcCheck(payable) }
}

test('one closed network is degraded, all of them are down', async () => {
  const { closed, look, check } = start()
  expect(check()).toMatchObject({ name: 'usdc', needed: true, state: 'ok' })
  closed.add(EVM_NETWORK)
  await look()
  expect(check()).toMatchObject({
    state: 'degraded',
    detail: `base: ${WHY}, since 1970-01-01T00:00:01.000Z, solana: not known to be closed`,
  })
  closed.add(SVM_NETWORK)
  await look()
  expect(check()).toMatchObject({ state: 'down' })
  closed.clear()
  await look()
  expect(check()).toMatchObject({
    state: 'ok',
    detail: 'base: not known to be closed, solana: not known to be closed',
  })
})

test('the operator reads it in the log, once, and when it is over', async () => {
  const { clock, closed, payable } = start()
  const lines: unknown[] = []
  const write = (facts: object, text: string) => void lines.push([text, facts])
  const log = { ...silentLog, warn: write, info: write }
  const [dependency] = usdcDependencies(payable)
  if (!dependency) throw new Error('nothing is watched')
  const watch = createWatch(dependency, { clock, log })
  closed.add(EVM_NETWORK)
  await watch.start()
  for (const isOver of [false, true]) {
    if (isOver) closed.clear()
    clock.advance(15_000)
    await new Promise(setImmediate)
  }
  watch.stop()
  expect(lines).toMatchObject([
    ['a dependency is down', { dependency: 'usdc-base', cause: WHY }],
    ['a dependency is well again', { dependency: 'usdc-base' }],
  ])
})
